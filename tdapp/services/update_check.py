"""Check for a newer version of the program, only when the user asks for it."""

from __future__ import annotations

import re
from urllib.error import URLError
from urllib.request import urlopen

from tdapp import __version__
from tdapp.domain.errors import UserError
from tdapp.versions import find_homepage as own_home

PATIENCE = 10.0  # seconds
_RELEASE = re.compile(r"/v?(\d+(?:\.\d+)+)/?$")


def find_newest_version(home: str = "") -> str:
    """Return the newest released version, read from the redirect of `home`/releases/latest.

    The default `home` is that of the program. Raises UserError if no home is set, the server does not answer,
    or the redirect names no version.
    """
    home = home or own_home()
    if not home.startswith("https://") or home.endswith(".invalid"):
        raise UserError("newest-no-home")
    try:
        with urlopen(f"{home}/releases/latest", timeout=PATIENCE) as answer:  # noqa: S310 - it is https
            found = _RELEASE.search(answer.url)
    except (URLError, OSError) as error:
        raise UserError("newest-no-answer", home=home) from error
    if found is None:
        raise UserError("newest-no-version", home=home)
    return found[1]


def is_newer(version: str, than: str = __version__) -> bool:
    """Return whether a version such as 1.10 is newer than another.

    >>> is_newer("1.10", than="1.9.3") True
    """
    return [*map(int, version.split("."))] > [*map(int, than.split("."))]
