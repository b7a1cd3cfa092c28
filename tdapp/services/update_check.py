"""Whether there is a newer version of the program: asked of its home only when somebody wants to know."""

from __future__ import annotations

import re
from urllib.error import URLError
from urllib.request import urlopen

from tdapp import __version__
from tdapp.domain.errors import UserError
from tdapp.versions import home as own_home

PATIENCE = 10.0  # seconds
_RELEASE = re.compile(r"/v?(\d+(?:\.\d+)+)/?$")


def newest_version(home: str = "") -> str:
    """Return the newest version that is released, as the address says to which `home`/releases/latest leads.

    Without a `home` the program's own is asked.
    Raises UserError where no home has been filled in, where nobody answers, and where the answer names no version.
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
    """Return whether a version such as 1.10 comes after another.

    >>> is_newer("1.10", than="1.9.3")
    True
    """
    return [*map(int, version.split("."))] > [*map(int, than.split("."))]
