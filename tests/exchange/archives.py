"""Functions that unpack, damage and repack spreadsheet archives."""

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


def unpack(data: bytes) -> dict[str, bytes]:
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
    """Return an archive with `new` instead of `old` in one part."""
    assert old in parts[name]
    return pack({**parts, name: parts[name].replace(old, new, 1)})


def damage_archive(parts: Mapping[str, bytes], seed: int) -> bytes:
    """Return an archive with a few random faults. The seed decides the faults."""
    random_source = random.Random(seed)
    damaged_parts = dict(parts)
    for _ in range(random_source.randint(1, 4)):
        names = sorted(damaged_parts)
        (name,) = random_source.choices(names, weights=[len(damaged_parts[name]) + 20 for name in names])
        damaged_parts[name] = _damage(damaged_parts[name], random_source)
    if random_source.random() < 0.1:
        del damaged_parts[random_source.choice(sorted(damaged_parts))]
    data = pack(damaged_parts, zipfile.ZIP_STORED)
    return _damage(data, random_source) if random_source.random() < 0.1 else data


def _damage(data: bytes, random_source: random.Random) -> bytes:
    """Return data with one fragment deleted, inserted, repeated or changed."""
    start, end = sorted((random_source.randint(0, len(data)), random_source.randint(0, len(data))))
    tag_offsets = [index for index, byte in enumerate(data) if byte in b"<> "]
    digits = [index for index, byte in enumerate(data) if byte in b"0123456789"]
    snippet = random_source.choice(_SNIPPETS)
    kind = random_source.randrange(6)
    if kind == 0:
        return data[:start] + data[min(end, start + 40) :]
    if kind == 1 and tag_offsets:
        start = random_source.choice(tag_offsets)
    if kind == 2:
        snippet = data[start:end][:200]
    if kind == 3 and digits:
        offset = random_source.choice(digits)
        return data[:offset] + random_source.choice(_NUMBERS) + data[offset + 1 :]
    if kind == 4:
        snippet, data = bytes([random_source.randrange(256)]), data[:start] + data[start + 1 :]
    return data[:start] + snippet + data[start:]
