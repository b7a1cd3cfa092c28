"""Tests of spreadsheets: LibreOffice files, and refused hostile files."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
import xlsxwriter

from tdapp.domain.errors import InputError
from tdapp.exchange import imports, player_lists, spreadsheets
from tdapp.exchange.cells import ImportedResults
from tdapp.exchange.imports import PlayerListFile
from tests.exchange.archives import FILES, pack, replace_in_part, unpack

XLSX = unpack((FILES / "players-libreoffice.xlsx").read_bytes())
ODS = unpack((FILES / "players-libreoffice.ods").read_bytes())
SHEET = "xl/worksheets/sheet2.xml"
END = b"</sheetData>"


def get_refusal(data: bytes) -> InputError:
    """Return the error of a refused file."""
    with pytest.raises(InputError) as error_info:
        spreadsheets.read_spreadsheet(data, "list.xlsx")
    assert error_info.value.source == "list.xlsx"
    return error_info.value


@pytest.mark.parametrize("suffix", ["xlsx", "ods"])
def test_read_sheets_reads_players_from_libreoffice(suffix: str) -> None:
    """The file has a cover sheet, empty rows, a formula, letters, and numbers as text."""
    lists = imports.read_file_to_import(FILES / f"players-libreoffice.{suffix}")
    assert isinstance(lists, PlayerListFile)
    assert [sheet.name for sheet in lists.sheets] == ["About", "Spelers"]
    assert lists.likely_worksheet_index == 1
    entries = player_lists.read_player_grid(lists.sheets[1].grid).get_players_or_refuse()
    assert [
        (entry.line, entry.number, entry.name, entry.rating, entry.club, entry.member) for entry in entries
    ] == [
        (3, 1, "van den Berg, Cécile", 1512, "Ons Genoegen", "00417"),
        (4, 2, "Ødegård, Frode", 1498, "Bølgen", "NO-88"),
        (5, 3, "Müller, Jürgen", None, "=Verein", "12"),
        (6, 4, "Łukasz, Ada", 1433, "", ""),
        (8, 5, "Li, Grietje", None, "", "2026-03-04"),
    ]


def test_read_sheets_ignores_the_file_name() -> None:
    data = pack(ODS)
    assert spreadsheets.read_spreadsheet(data, "list.xlsx") == spreadsheets.read_spreadsheet(data, "list.csv")


def test_read_sheets_reads_results() -> None:
    words = [b"Nr", b"Naam", b"Rating", b"Vereniging"]
    strings = XLSX["xl/sharedStrings.xml"]
    for old, new in zip(words, [b"round", b"table", b"score1", b"score2"], strict=True):
        assert b">" + old + b"<" in strings
        strings = strings.replace(b">" + old + b"<", b">" + new + b"<")
    with pytest.raises(InputError) as error_info:  # the names are texts
        imports.read_bytes_to_import(pack({**XLSX, "xl/sharedStrings.xml": strings}), "results.xlsx")
    assert (error_info.value.code, error_info.value.line, error_info.value.field) == ("bad-number", 3, "table")
    assert ImportedResults("", ()).entries == ()


@pytest.mark.parametrize(
    ("part", "code"),
    [
        (b'<row r="9"><c r="XFD9"><v>1</v></c></row>', "spreadsheet-columns"),
        (b'<row r="1048576"><c r="A1048576"><v>1</v></c></row>', "too-many-rows"),
        (b'<row r="10002"><c><v>1</v></c></row>', "too-many-rows"),
        (b'<row r="9"><c r="A9"><v>1</v></row>', "spreadsheet-broken"),
        (b'<row r="9"><c r="A99999999999"><v>1</v></c></row>', "spreadsheet-broken"),
        (b'<row r="4294967300"><c><v>1</v></c></row>', "spreadsheet-broken"),
        (b'<row r="9"><c r="AAAA9"><v>1</v></c></row>', "spreadsheet-broken"),
    ],
)
def test_read_sheets_refuses_distant_cells_before_allocating(part: bytes, code: str) -> None:
    assert get_refusal(replace_in_part(XLSX, SHEET, END, part + END)).code == code


def test_read_sheets_ignores_a_distant_cell_without_a_value() -> None:
    distant_cell = b'<row r="1048576"><c r="XFD1048576" s="1"/></row>'
    assert spreadsheets.read_spreadsheet(
        replace_in_part(XLSX, SHEET, END, distant_cell + END)
    ) == spreadsheets.read_spreadsheet(pack(XLSX))


@pytest.mark.parametrize(
    ("attribute", "code"),
    [
        (b'table:number-columns-repeated="16384"', "spreadsheet-columns"),
        (b'table:number-rows-repeated="1048576"', "too-many-rows"),
        (b'table:number-rows-repeated="99999999999"', "spreadsheet-broken"),
    ],
)
def test_read_sheets_refuses_too_many_repeated_cells(attribute: bytes, code: str) -> None:
    tag = b"<table:table-row " if b"rows" in attribute else b"<table:table-cell "
    assert get_refusal(replace_in_part(ODS, "content.xml", tag, tag + attribute + b" ")).code == code


def test_read_sheets_does_not_trust_declared_counts() -> None:
    strings = XLSX["xl/sharedStrings.xml"]
    assert b'uniqueCount="18"' in strings
    data = replace_in_part(XLSX, "xl/sharedStrings.xml", b'uniqueCount="18"', b'uniqueCount="99999999999"')
    assert get_refusal(data).code == "spreadsheet-broken"


def test_read_sheets_refuses_one_long_text_in_many_cells() -> None:
    strings = XLSX["xl/sharedStrings.xml"].replace(b">Nr<", b">" + b"x" * 100_000 + b"<")
    rows = b"".join(b'<row r="%d"><c t="s"><v>2</v></c></row>' % number for number in range(20, 2_100))
    sheet = XLSX[SHEET].replace(END, rows + END)
    error = get_refusal(pack({**XLSX, "xl/sharedStrings.xml": strings, SHEET: sheet}, zipfile.ZIP_STORED))
    assert (error.code, error.facts["megabytes"]) == ("spreadsheet-bomb", 210)
    cell = b'<table:table-cell table:number-columns-repeated="200" office:value-type="string"><text:p>'
    row = (
        b'<table:table-row table:number-rows-repeated="9000">'
        + cell
        + b"y" * 200
        + b"</text:p></table:table-cell>"
    )
    old_memory = b"<table:table-row "
    long_text = replace_in_part(ODS, "content.xml", old_memory, row + b"</table:table-row>" + old_memory)
    assert get_refusal(long_text).code == "spreadsheet-bomb"
    blanks = b'<text:p><text:s text:c="9999999"/></text:p>' * 30
    many_parts = replace_in_part(ODS, "content.xml", b"<text:p>", blanks + b"<text:p>")
    assert get_refusal(many_parts).code == "spreadsheet-bomb"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_read_sheets_refuses_entities(encoding: str) -> None:
    entity_document = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><sst><si><t>&c;</t></si></sst>'
    parts = {**XLSX, "xl/sharedStrings.xml": entity_document.encode(encoding)}
    assert get_refusal(pack(parts)).code == "spreadsheet-entities"
    doctype = b'<!doctype a SYSTEM "file:///etc/passwd">'
    assert get_refusal(pack({**XLSX, "xl/styles.xml": doctype})).code == "spreadsheet-entities"


@pytest.mark.slow
def test_read_sheets_refuses_oversized_contents() -> None:
    error = get_refusal(pack({**XLSX, "xl/media/a.xml": b" " * 60_000_000}))
    assert (error.code, error.facts) == ("spreadsheet-bomb", {"megabytes": 60})
    many_parts = {**XLSX, **{f"xl/{number}.xml": b"<a/>" for number in range(200)}}
    assert get_refusal(pack(many_parts)).facts["found"] == 211
    oversized_text = {**XLSX, **{f"xl/{number}.bin": bytes(range(256)) * 40_000 for number in range(6)}}
    assert get_refusal(pack(oversized_text)).code == "spreadsheet-bomb"


def test_read_sheets_refuses_a_wrong_length_in_the_archive() -> None:
    """The wrong length makes the checksum wrong."""
    data = bytearray(pack({**XLSX, "xl/big.xml": b"<a>" + b"x" * 5000 + b"</a>"}))
    size = (5007).to_bytes(4, "little")
    assert data.count(size) == 2
    assert get_refusal(bytes(data.replace(size, (50).to_bytes(4, "little")))).code == "spreadsheet-broken"


@pytest.mark.parametrize(
    "name", ["../x.xml", "/etc/x.xml", "a\\b.xml", "C:x.xml", "xl/../../x.xml", "xl/workbook.xml"]
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_read_sheets_refuses_paths_out_of_the_archive(name: str) -> None:
    target = BytesIO(pack(XLSX))
    with zipfile.ZipFile(target, "a") as archive:
        archive.writestr(zipfile.ZipInfo(name), b"<a/>")
    assert get_refusal(target.getvalue()).code == "spreadsheet-path"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"PK\x03\x04...", "spreadsheet-broken"),
        (pack({"word/document.xml": b"<a/>"}), "spreadsheet-other"),
        (pack({"xl/workbook.bin": b"\x83\x01"}), "spreadsheet-other"),
        (pack({**XLSX, "xl/workbook.xml": b"<workbook/>"}), "file-empty"),
        (pack(XLSX)[:-40], "spreadsheet-broken"),
        (pack(XLSX) + b" " * 5_000_000, "file-too-large"),
    ],
)
def test_read_sheets_refuses_other_files(data: bytes, code: str) -> None:
    assert get_refusal(data).code == code


def test_read_sheets_reports_a_password() -> None:
    data = bytearray(pack(XLSX))
    for marker, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = data.find(marker)
        while start >= 0:
            data[start + offset] |= 1
            start = data.find(marker, start + 1)
    assert get_refusal(bytes(data)).code == "spreadsheet-encrypted"
    with pytest.raises(InputError, match="file-is-spreadsheet"):
        imports.read_bytes_to_import(b"\xd0\xcf\x11\xe0" + bytes(100), "locked.xlsx")


@pytest.mark.slow
def test_read_sheets_accepts_ten_thousand_rows() -> None:
    row = '<row r="{0}"><c r="A{0}" t="inlineStr"><is><t>P{0}</t></is></c></row>'
    rows = "".join(row.format(number) for number in range(2, 10_002))
    head = '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c></row>'
    sheet = XLSX[SHEET]
    start, end = sheet.index(b"<sheetData>") + len(b"<sheetData>"), sheet.index(END)
    workbook = pack({**XLSX, SHEET: sheet[:start] + (head + rows).encode() + sheet[end:]})
    lists = imports.read_bytes_to_import(workbook, "many.xlsx")
    assert isinstance(lists, PlayerListFile)
    assert (
        len(player_lists.read_player_grid(lists.sheets[lists.likely_worksheet_index].grid).get_players_or_refuse())
        == 10_000
    )


def test_read_sheets_names_cells_with_errors(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
        book.add_worksheet("About").write(0, 0, "x")
        sheet = book.add_worksheet("Players")
        sheet.write_column(0, 0, ["Name", "Ann", "Bo", "Cy"])
        sheet.write(0, 1, "Rating")
        sheet.write_formula(1, 1, "=1500", None, 1500)
        sheet.write_formula(2, 1, "=VLOOKUP(1,A1,1)", None, "#N/A")
    content = imports.read_bytes_to_import((tmp_path / "a.xlsx").read_bytes(), "a.xlsx")
    assert isinstance(content, imports.PlayerListFile)
    preview = player_lists.read_player_grid(content.sheets[1].grid, "a.xlsx")
    assert [entry.rating for entry in preview.get_players_or_refuse()] == [1500, None, None]
    assert [(warning.line, warning.code, warning.facts["cells"]) for warning in preview.warnings] == [
        (3, "cell-unread", "B3")
    ]


@pytest.mark.parametrize("displayed_text", ["#REF!", "Err:502", "#NV"])
def test_read_sheets_names_cells_with_errors_of_libreoffice(displayed_text: str) -> None:
    value = 'office:value-type="float" office:value="1512" calcext:value-type="float"><text:p>1512<'
    error = (
        f'office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>{displayed_text}<'
    )
    name = 'office:value-type="string" calcext:value-type="string"><text:p>Ødegård, Frode<'
    content = ODS["content.xml"].decode()
    assert value in content
    assert name in content
    lists = imports.read_bytes_to_import(
        pack({**ODS, "content.xml": content.replace(value, error).encode()}), "a.ods"
    )
    assert isinstance(lists, PlayerListFile)
    preview = player_lists.read_player_grid(lists.sheets[1].grid, "a.ods")
    assert preview.get_players_or_refuse()[0].rating is None
    assert (3, "cell-unread", "C3") in [
        (warning.line, warning.code, warning.facts.get("cells")) for warning in preview.warnings
    ]
    lists = imports.read_bytes_to_import(
        pack({**ODS, "content.xml": content.replace(name, error).encode()}), "a.ods"
    )
    assert isinstance(lists, PlayerListFile)
    faults = player_lists.read_player_grid(lists.sheets[1].grid, "a.ods").problems_except_repeated_player_names
    assert [(fault.line, fault.field, fault.code, fault.facts["cells"]) for fault in faults] == [
        (4, "name", "cell-unread", "B4")
    ]


def test_read_bytes_skips_the_rows_above_the_headings(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
        for name in ("A", "B"):
            sheet = book.add_worksheet(name)
            sheet.write(0, 0, "Open Leiden")
            sheet.write_row(2, 0, ["First name", "Last name", "Rating"])
            sheet.write_row(3, 0, ["Ann", "Jansen", 1500])
    lists = imports.read_bytes_to_import((tmp_path / "a.xlsx").read_bytes(), "a.xlsx")
    assert isinstance(lists, PlayerListFile)
    assert lists.candidate_worksheet_names == ("A", "B")
    (entry,) = player_lists.read_player_grid(lists.sheets[0].grid, "a.xlsx").get_players_or_refuse()
    assert (entry.line, entry.name, entry.rating) == (4, "Jansen, Ann", 1500)
    lists = imports.read_bytes_to_import(b"Open Leiden;;\n\nName;Rating;Club\nJansen, Ann;1500;X\n", "a.csv")
    assert isinstance(lists, PlayerListFile)
    (entry,) = player_lists.read_player_grid(lists.sheets[0].grid, "a.csv").get_players_or_refuse()
    assert (entry.line, entry.name) == (4, "Jansen, Ann")


def test_read_sheets_names_formulas_without_values(tmp_path: Path) -> None:
    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
        book.add_worksheet("Players").write_column(0, 0, ["Name", "Ann"])
        book.worksheets()[0].write_formula(0, 27, '="Rating"', None, "Rating")
        book.worksheets()[0].write_formula(1, 27, "=1500", None, "")
    data = (tmp_path / "a.xlsx").read_bytes()
    parts, name = unpack(data), "xl/worksheets/sheet1.xml"
    parts = {**parts, name: re.sub(rb"(<f>1500</f>)<v>[^<]*</v>", rb"\1", parts[name])}
    (sheet,) = spreadsheets.read_spreadsheet(pack(parts), "a.xlsx")
    assert sheet.grid.unread_cells == ((2, "AB2"),)
