"""The verbs for several stations: a tournament to a server, others to it, and back into a file."""

from __future__ import annotations

from argparse import Namespace

from tdapp.cli.program import Program
from tdapp.domain.errors import StorageError
from tdapp.domain.roles import Role
from tdapp.services.sharing import fetch_file
from tdapp.storage import Address
from tdapp.storage.logins import new_password


def share(program: Program, options: Namespace) -> object:
    """Bring a file's tournament to an empty database."""
    address = _address(options)
    program.refuse_shared(options.file)
    with program.desk(options.file, read_only=True) as desk:
        desk.store.share(address)
    if not options.json:
        facts = {"address": str(address), "file": str(options.file)}
        print(program.catalogue.text("Shared at {address}. Go on there: {file} stays as it is.", **facts))
    return {"file": str(options.file), "address": str(address)}


def admit(program: Program, options: Namespace) -> object:
    """Let a login take part in a role; tell what its station types."""
    address, role = _address(options), Role(options.role)
    password = new_password()
    with program.desk(address) as desk:
        made = desk.store.admit(options.login, role, password)
    found = {"address": address.of(options.login), "role": role.value, **({"password": password} if made else {})}
    if not options.json:
        words = program.catalogue
        print(words.text("{role}: {address}", role=words.code(role), address=found["address"]))
        if made:
            print(words.text("Password: {password}", password=password))
    return found


def fetch(_program: Program, options: Namespace) -> object:
    """Bring a shared tournament into a new file."""
    address = _address(options)
    if options.file.exists():
        raise StorageError("file-exists", path=str(options.file))
    fetch_file(address, options.file)
    return {"file": str(options.file), "address": str(address)}


def _address(options: Namespace) -> Address:
    """Return the address that was given; raise StorageError where it is a file's path."""
    found = options.address
    return found if isinstance(found, Address) else Address.parse(str(found))
