"""Tests of the detection of file formats by contents."""

from __future__ import annotations

import pytest

from tdapp.domain.errors import InputError
from tdapp.exchange.imports import ImportFormat, detect_format
from tests.data_events import find_data_folder


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"format": "tdapp"}', ImportFormat.DOCUMENT),
        (b"\xef\xbb\xbf\r\n {", ImportFormat.DOCUMENT),
        (b"\n# a comment\nHansen, Niels  1739 31 36; 477 368; board 2 2\n", ImportFormat.TSH),
        ("Ås, Zoë 1500;;\n".encode("latin-1"), ImportFormat.TSH),
        (b"#\nA 1500;;\n", ImportFormat.TSH),
        (b"Naam;Elo\nSpeler 001;1\n", ImportFormat.PLAYERS),
        (b"Name\nA\n", ImportFormat.PLAYERS),
        (b"012 Cup\r\n", ImportFormat.TRF),
        (b"### a comment\n001    1      One, Ann\n", ImportFormat.TRF),
        (b"XXR 7\r001    1      One, Ann\r".replace(b"\r", b"\n"), ImportFormat.TRF),
        (b"rating;club\n1500;A\n", ImportFormat.PLAYERS),
        (b"last name,first name\n", ImportFormat.PLAYERS),
        (b"round,table,score1,score2\n1,1,2,3\n", ImportFormat.RESULTS),
        (b"ronde;tafel;punten1\n1;1;2\n", ImportFormat.RESULTS),
    ],
)
def test_detect_format_knows_each_format(data: bytes, expected: ImportFormat) -> None:
    assert detect_format(data) is expected


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "file-empty"),
        (b" \n\t\n", "file-empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "file-binary"),
        (bytes(range(256)), "file-binary"),
        (b"SQLite format 3\x00...", "file-is-tournament"),
        (b"\xd0\xcf\x11\xe0...", "file-is-spreadsheet"),
        (b"Dear director\n", "file-unknown"),
        (b"x" * 5_000_001, "file-too-large"),
    ],
)
def test_detect_format_refuses_other_files_with_a_reason(data: bytes, code: str) -> None:
    with pytest.raises(InputError) as error_info:
        detect_format(data, "thing")
    assert (error_info.value.code, error_info.value.source) == (code, "thing")


@pytest.mark.data
def test_detect_format_knows_real_files() -> None:
    paths = sorted((find_data_folder() / "events").glob("*.t"))
    assert paths
    for path in paths:
        assert detect_format(path.read_bytes()) is ImportFormat.TSH
