"""Take spreadsheets apart and put them together again, for tests that damage them."""

from __future__ import annotations

import random
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

FILES = Path(__file__).parents[1] / "files"
_NUMBERS = (b"0", b"-1", b"65536", b"99999999999", b"1e9")
_SNIPPETS = [
    b'<c r="XFD1048576" t="n"><v>1</v></c>',
    b'<c r="A10001"><v>2</v></c>',
    b"<v>9e999</v>",
    b"<v>-1</v>",
    b"<row>",
    b'<dimension ref="A1:XFD1048576"/>',
    b' count="4294967295"',
    b' uniqueCount="99999999999"',
    b' t="s"',
    b' r="ZZZ9"',
    b' table:number-columns-repeated="16384"',
    b' table:number-rows-repeated="1048576"',
    b"<si><t>\xc3\x85</t></si>",
    b' office:value-type="float"',
    b' office:value="nan"',
    b"<!DOCTYPE a>",
    b'<!ENTITY b "c">',
    b"&amp;",
    b"&b;",
    b"]]>",
    b"\x00",
    b"\xff\xfe",
    b'<mergeCell ref="A1:XFD1048576"/>',
    b' t="d"',
    b' t="e"',
    b"<is><t>x</t></is>",
    b"<text:p/>",
    b' r="A0"',
    b' r="0"',
    b' s="999999"',
    b"<f>SUM(A1:A9)</f>",
    b'<f t="shared" ref="A1:A9" si="0"/>',
    b"</row>",
]


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return the parts of an archive by name."""
    with zipfile.ZipFile(BytesIO(data)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def pack(parts: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return target.getvalue()


def replace_in_part(parts: Mapping[str, bytes], name: str, old: bytes, new: bytes) -> bytes:
    """Return an archive in which one part has `new` instead of `old`."""
    assert old in parts[name]
    return pack({**parts, name: parts[name].replace(old, new, 1)})


def mutated(parts: Mapping[str, bytes], seed: int) -> bytes:
    """Return an archive with a few faults, the same for a seed."""
    chance = random.Random(seed)
    damaged = dict(parts)
    for _ in range(chance.randint(1, 4)):
        names = sorted(damaged)
        (name,) = chance.choices(names, weights=[len(damaged[name]) + 20 for name in names])
        damaged[name] = _damage(damaged[name], chance)
    if chance.random() < 0.1:
        del damaged[chance.choice(sorted(damaged))]
    data = pack(damaged, zipfile.ZIP_STORED)
    return _damage(data, chance) if chance.random() < 0.1 else data


def _damage(data: bytes, chance: random.Random) -> bytes:
    """Return data with one piece deleted, inserted, repeated or changed."""
    start, to = sorted((chance.randint(0, len(data)), chance.randint(0, len(data))))
    places = [index for index, sign in enumerate(data) if sign in b"<> "]
    digits = [index for index, sign in enumerate(data) if sign in b"0123456789"]
    snippet = chance.choice(_SNIPPETS)
    way = chance.randrange(6)
    if way == 0:
        return data[:start] + data[min(to, start + 40) :]
    if way == 1 and places:
        start = chance.choice(places)
    if way == 2:
        snippet = data[start:to][:200]
    if way == 3 and digits:
        offset = chance.choice(digits)
        return data[:offset] + chance.choice(_NUMBERS) + data[offset + 1 :]
    if way == 4:
        snippet, data = bytes([chance.randrange(256)]), data[:start] + data[start + 1 :]
    return data[:start] + snippet + data[start:]
