"""Tests of the site folder: valid pages, working links and no private data."""

from __future__ import annotations

import itertools
import json
import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from tdapp.domain import commands
from tdapp.domain.errors import CommandError, InputError
from tdapp.domain.index import TournamentIndex
from tdapp.domain.model import DivisionId, Photo, PublicNameFormat
from tdapp.domain.tournament import Tournament
from tdapp.exchange.json_documents import PublicTournamentJson
from tdapp.exchange.json_text import make_json_schema
from tdapp.i18n.catalogue import LANGUAGES, Catalogue
from tdapp.services.publishing import MARKER_FILE, replace_folder_content
from tdapp.web.site import ASSETS, FEED, FEEDS, SCHEMA, Site, Templates, parse_site_url
from tests.building import DIVISION, RESOURCES, enter_results, get_player, make_event, pair_rounds
from tests.domain.test_division_rules import A, B, build_two_divisions, find_first_game
from tests.web.page_checks import find_dead_links, iterate_elements, parse_page, read_element_text

TEMPLATES = Templates(RESOURCES / "site")
NASTY = '<script>alert("x")</script> & "Åse" \'O’Hara\''


@cache
def make_catalogue(language: str = "en") -> Catalogue:
    return Catalogue(language, RESOURCES / "locale")


@cache
def make_site(tournament: Tournament, language: str = "en") -> Mapping[str, bytes]:
    return MappingProxyType(dict(Site(tournament, make_catalogue(language), TEMPLATES).make_all_files()))


def rename_player(tournament: Tournament, number: int, name: str) -> Tournament:
    return commands.edit_player(tournament, player=get_player(tournament, number).id, name=name)


@cache
def make_full_tournament() -> Tournament:
    """Return a Swiss division with a bye and an unfinished round, and a knockout division in progress."""
    value = pair_rounds(make_event(9, rounds=4), times=2)
    value = rename_player(pair_rounds(value, results=False), 3, NASTY)
    value = commands.edit_event(value, name=f"Open {NASTY}", place="Leiden", date="2026-11-21")
    other_division = DivisionId("k")
    value = commands.add_division(value, key=other_division, code="Ø/B", name="Bravo")
    value = commands.add_stage(value, key="ks", division=other_division, system="knockout", rounds=3)
    for number in range(1, 6):
        value = commands.add_player(value, key=f"k{number}", division=other_division, name=f"K{number}")
    from tdapp.pairing import propose_pairings  # noqa: PLC0415

    return commands.pair_round(value, key="kr", proposal=propose_pairings(TournamentIndex(value), other_division))


def test_site_ranks_a_division_by_its_own_rules() -> None:
    """Check WESPA standings (wins and spread) beside Dutch standings (total points)."""
    value = build_two_divisions()
    for division in (A, B):
        value = commands.enter_result(value, game=find_first_game(value, division), first=400, second=350)
    files = make_site(value)
    texts = [" ".join(read_element_text(parse_page(files[f"{code}-standings.html"])).split()) for code in "ab"]
    assert "Ranked by Wins, Spread After" in texts[0]
    assert "Ranked by Points After" in texts[1]


@pytest.mark.parametrize(
    "language",
    [language if language == "en" else pytest.param(language, marks=pytest.mark.slow) for language in LANGUAGES],
)
def test_site_pages_are_html_with_working_links(language: str) -> None:
    files = make_site(make_full_tournament(), language)
    assert not find_dead_links(files)
    for name, content in files.items():
        if name.endswith(".html"):
            assert parse_page(content).attrib["lang"] == language


def test_site_has_all_pages() -> None:
    names = set(make_site(make_full_tournament()))
    expected_names = {
        "index.html",
        *ASSETS,
        "a-round.html",
        "a-round-3.html",
        "a-names-1.html",
        "a-standings.html",
    }
    expected_names |= {
        "a-standings-2.html",
        "a-crosstable.html",
        "a-statistics.html",
        "a-players.html",
        "a-player-9.html",
    }
    expected_names |= {"b-bracket.html", "b-player-5.html"}
    assert expected_names <= names
    assert "a-standings-3.html" not in names  # no result is entered yet
    assert all(name.isascii() and "/" not in name for name in names)


def test_site_escapes_names() -> None:
    for name, content in make_site(make_full_tournament()).items():
        if name.endswith(".html"):
            scripts = list(iterate_elements(parse_page(content), "script"))
            assert [script.attrib for script in scripts] == [{"src": "site.js", "defer": ""}], name
    page = parse_page(make_site(make_full_tournament())["a-player-3.html"])
    assert read_element_text(next(iterate_elements(page, "h1"))) == NASTY
    assert next(iterate_elements(page, "h1")).attrib["translate"] == "no"


def test_site_loads_nothing_from_other_sites() -> None:
    pages = make_site(make_full_tournament())
    assert "index.html" in pages
    for name, content in pages.items():
        is_name = name in {SCHEMA, FEED, "icon.svg"}  # names, not addresses
        assert is_name or not re.search(rb"https?://", content), name
        if name.endswith(".html"):
            policies = [
                element.attrib["content"]
                for element in iterate_elements(parse_page(content), "meta")
                if element.attrib.get("http-equiv") == "Content-Security-Policy"
            ]
            assert len(policies) == 1
            assert policies[0].startswith("default-src 'none';")
            assert b"style=" not in content
            assert b"onclick" not in content


def test_site_names_its_address() -> None:
    url = parse_site_url(" https://example.org/open ")
    files = dict(Site(make_full_tournament(), make_catalogue("en"), TEMPLATES, address=url).make_all_files())
    for name in ("index.html", "a-standings.html", "b-player-5.html"):
        tags = [tag for tag in iterate_elements(parse_page(files[name]), "meta") if "content" in tag.attrib]
        properties = {tag.attrib.get("property"): tag.attrib["content"] for tag in tags}
        assert properties["og:url"] == f"https://example.org/open/{name}"
    assert b"<link>https://example.org/open/index.html</link>" in files[FEED]
    assert parse_site_url("") == ""
    for text in (
        "example.org",
        "ftp://example.org",
        'https://a"b',
        "https://a b",
        "https://a.org/?x",
        "https://",
    ):
        with pytest.raises(CommandError, match="site-address"):
            parse_site_url(text)


def test_site_tables_have_captions_and_scopes() -> None:
    pages = {
        name: content for name, content in make_site(make_full_tournament()).items() if name.endswith(".html")
    }
    assert "index.html" in pages
    for name, content in pages.items():
        root = parse_page(content)
        assert len(list(iterate_elements(root, "main"))) == 1
        assert len(list(iterate_elements(root, "h1"))) == 1
        levels = [int(element.tag[-1]) for element in iterate_elements(root, "h1", "h2", "h3")]
        assert all(after - before <= 1 for before, after in itertools.pairwise(levels)), name
        for table in iterate_elements(root, "table"):
            assert read_element_text(next(iterate_elements(table, "caption")))
            assert all(element.attrib["scope"] in {"col", "row"} for element in iterate_elements(table, "th"))
            for row in iterate_elements(next(iterate_elements(table, "tbody")), "tr"):
                assert sum(1 for _ in iterate_elements(row, "th")) == 1


def read_rows(page: bytes) -> list[list[str]]:
    body = next(iterate_elements(parse_page(page), "tbody"))
    return [
        [read_element_text(cell) for cell in iterate_elements(row, "th", "td")]
        for row in iterate_elements(body, "tr")
    ]


def test_site_round_by_table_and_by_name() -> None:
    value = pair_rounds(make_event(5, rounds=3), times=1)
    files = make_site(value)
    index = TournamentIndex(value)
    game = index.games(index.list_published_rounds(DIVISION)[0].id)[0]
    first, second = (value.players[player].name for player in (game.first, game.second))
    result = index.get_result(game.id)
    assert result is not None
    assert read_rows(files["a-round-1.html"])[0] == ["1", first, second, f"{result.first} – {result.second}"]
    assert read_rows(files["a-round-1.html"])[-1] == ["", "P5", "bye", ""]
    by_name = {row[0]: row[1:] for row in read_rows(files["a-names-1.html"])}
    assert by_name[first] == ["1", second, "✓"]
    assert by_name["P5"] == ["", "bye", ""]


def test_site_standings_and_crosstable_after_each_round() -> None:
    files = make_site(pair_rounds(make_event(4, rounds=3), times=2))
    assert read_rows(files["a-standings-2.html"])[0][:4] == ["1", "P1", "2", "2"]
    assert read_rows(files["a-standings.html"]) == read_rows(files["a-standings-2.html"])
    assert read_rows(files["a-standings-1.html"]) != read_rows(files["a-standings-2.html"])
    first = read_rows(files["a-crosstable.html"])[0]
    assert first[:3] == ["1", "1", "P1"]
    assert first[3].startswith("W")
    assert first[5:] == ["2", "2", "+6"]


def test_site_bracket_is_drawn_and_listed() -> None:
    page = make_site(make_full_tournament())["b-bracket.html"]
    page_rows = read_rows(page)
    assert {"K1", "K5"} <= {cell for row in page_rows for cell in row}
    assert b"<svg" in page
    assert b"winner of" in page


def test_site_bracket_shows_ranks_for_unknown_players() -> None:
    value = commands.add_stage(make_event(4), key="k", division=DIVISION, system="knockout", rounds=2, cut=3)
    page = make_site(value)["a-bracket.html"].decode()
    assert "No. 1 after round 5" in page
    assert not any(name in page for name in ("P1", "P2", "P3"))


def test_site_shows_public_data_only() -> None:
    value = pair_rounds(make_event(4, rounds=3), times=2)
    value = commands.edit_player(
        value, player=get_player(value, 1).id, notes="secret", member="M-77", xtid="M-77x", club="Oslo"
    )
    open_to_all = b"".join(make_site(value).values())
    assert b"Oslo" in open_to_all
    assert b"secret" not in open_to_all
    assert b"M-77" not in open_to_all
    value = value.put(replace(value.event, names_shown=PublicNameFormat.NUMBER, details_shown=False))
    numbered = make_site(value)
    assert b"Oslo" not in b"".join(numbered.values())
    assert read_rows(numbered["a-standings-2.html"])[0][1] == "#1"


def read_public_data(tournament: Tournament) -> Any:
    files = make_site(tournament)
    document = json.loads(files["data.json"])
    Draft202012Validator(json.loads(files[document["$schema"]])).validate(document)
    Draft202012Validator(make_json_schema("closed", PublicTournamentJson, forbids_unknown_keys=True)).validate(
        document
    )
    return document


def test_make_public_data_has_all_sections() -> None:
    public_data = read_public_data(make_full_tournament())
    first, second = public_data["divisions"]
    assert (public_data["event"]["place"], first["code"], second["code"]) == ("Leiden", "A", "Ø/B")
    assert first["players"][2]["name"] == NASTY
    assert [item["round"] for item in first["rounds"]] == [1, 2, 3]
    assert first["rounds"][0]["games"][0]["score1"] > 0
    assert first["rounds"][2]["games"][0]["score1"] is None
    assert (first["standings"]["after"], first["standings"]["rows"][0]["rank"], first["bracket"]) == (2, 1, None)
    assert second["standings"] is None
    assert second["bracket"]["matches"]


def test_make_public_data_hides_private_data() -> None:
    value = make_full_tournament()
    value = commands.edit_player(
        value, player=get_player(value, 1).id, notes="secret", member="secret", club="secret"
    )
    event = replace(value.event, names_shown=PublicNameFormat.NUMBER, details_shown=False)
    first = read_public_data(value.put(event, replace(value.divisions[DIVISION], held_after=1)))["divisions"][0]
    assert "secret" not in str(first)
    assert first["players"][0]["name"] == "#A1"
    assert not {"member", "notes", "checked_in"} & first["players"][0].keys()
    assert not {"reason", "cost"} & (first["rounds"][0].keys() | first["rounds"][0]["games"][0].keys())
    assert first["rounds"][1]["games"][0]["score1"] is None
    assert first["standings"]["after"] == 1


def test_list_news_of_each_round() -> None:
    value = make_full_tournament()
    files = dict(Site(value, make_catalogue(), TEMPLATES, address="https://example.org/").make_all_files())
    root = ElementTree.fromstring(files["rounds.xml"])  # noqa: S314 - our own
    items = [(item.findtext("title"), item.findtext("link"), item.findtext("guid")) for item in root.iter("item")]
    assert root.findtext("channel/title") == value.event.name
    assert [(link or "").removeprefix("https://example.org/") for _, link, _ in items] == [
        "a-round-3.html", "a-standings-2.html", "a-round-2.html", "a-standings-1.html", "a-round-1.html",
        "b-round-1.html",
    ]  # fmt: skip
    assert items[0][0] == "Division A · Round 3: pairings"
    assert len({guid for _, _, guid in items}) == len(items)
    feed = ElementTree.fromstring(make_site(enter_results(value))["rounds.xml"])  # noqa: S314
    assert {guid for _, _, guid in items} < {item.findtext("guid") for item in feed.iter("item")}


MOMENT = datetime(2026, 11, 21, 14, 32, tzinfo=UTC)


def test_site_feed_and_schedule_work_without_a_date() -> None:
    value = commands.edit_event(make_full_tournament(), date="")
    value = commands.set_times(value, division=DIVISION, times="10:00 +65")
    site = Site(value, make_catalogue("en"), TEMPLATES, made_at=MOMENT)
    dates = re.findall("<pubDate>(.*?)</pubDate>", site.make_news_feed("").decode())
    assert dates
    assert {parsedate_to_datetime(date) for date in dates} == {MOMENT}
    (schedule,) = (site.make_file_content(name) for name in site.names if name.endswith("schedule.html"))
    assert b"For your calendar" not in schedule


@pytest.mark.parametrize("address", ["", "https://example.org/open/"])
def test_make_feed_is_valid_rss(address: str) -> None:
    value = commands.edit_event(make_full_tournament(), zone="Europe/Amsterdam")
    value = commands.set_times(value, division=DIVISION, times="10:00 +65")
    files = dict(Site(value, make_catalogue("en"), TEMPLATES, address=address, made_at=MOMENT).make_all_files())
    channel = ElementTree.fromstring(files[FEED]).find("channel")  # noqa: S314 - our own
    assert channel is not None
    home = channel.findtext("link", "")
    assert home == f"{address}index.html" if address else home.startswith("urn:uuid:")
    assert channel.findtext("description")
    for item in channel.iter("item"):
        assert item.findtext("title")
        assert item.findtext("description")
        assert (item.findtext("link") or "").startswith("https://") == bool(address)
        time = parsedate_to_datetime(item.findtext("pubDate", ""))
        assert time <= MOMENT
    dates = {parsedate_to_datetime(item.findtext("pubDate", "")) for item in channel.iter("item")}
    zone = ZoneInfo("Europe/Amsterdam")
    assert {datetime(2026, 11, 21, 10, tzinfo=zone), datetime(2026, 11, 21, 11, 5, tzinfo=zone)} <= dates
    texts = [item.findtext("description", "") for item in channel.iter("item")]
    assert texts[0].startswith("1. ")
    assert " – " in texts[0]
    assert texts[1].startswith("1. P2 (2 wins")


def test_site_pages_show_their_time() -> None:
    files = dict(Site(make_full_tournament(), make_catalogue("en"), TEMPLATES, made_at=MOMENT).make_all_files())
    pages = {
        name: read_element_text(parse_page(content)) for name, content in files.items() if name.endswith(".html")
    }
    assert pages
    assert [name for name, text in pages.items() if text.count("Updated 21 Nov 2026, 14:32") != 1] == []


def test_site_home_page_has_leaders_logo_and_icon() -> None:
    value = commands.edit_player(
        make_full_tournament(), player=get_player(make_full_tournament(), 2).id, country="NOR"
    )
    picture = b"\x89PNG in fact"
    value = commands.set_logo(value, name="club.png", data=b64encode(picture).decode())
    files = dict(Site(value, make_catalogue("en"), TEMPLATES, address="https://example.org/").make_all_files())
    home = parse_page(files["index.html"])
    assert files["logo.png"] == picture
    assert [element.attrib["src"] for element in iterate_elements(home, "img")] == ["logo.png"]
    assert {
        element.attrib["href"] for element in iterate_elements(home, "link") if element.attrib["rel"] == "icon"
    } == {"logo.png"}
    assert b'<meta property="og:image" content="https://example.org/logo.png">' in files["index.html"]
    leaders = [
        read_element_text(element) for ol in iterate_elements(home, "ol") for element in iterate_elements(ol, "li")
    ]
    assert leaders[0] == "1 P2 NOR 2 wins, 2 resistance points, spread +22"
    assert "Round 3: 0 of 4 results" in read_element_text(home)
    plain_files = make_site(make_full_tournament())
    assert "icon.svg" in plain_files
    assert b'<link rel="icon" href="icon.svg">' in plain_files["index.html"]


def test_site_pages_show_the_photos_of_leaders_and_players() -> None:
    value = commands.set_photos(
        make_full_tournament(), photos=((get_player(make_full_tournament(), 2).id, "/9j/aGVsbG8="),)
    )
    files = make_site(value)
    (name,) = (name for name in files if name.startswith("photo-"))
    assert files[name] == b"\xff\xd8\xffhello"
    for page in ("index.html", "a-player-2.html"):
        images = [
            (element.attrib["src"], element.attrib["alt"])
            for element in iterate_elements(parse_page(files[page]), "img")
        ]
        assert images == [(name, "Photo of P2")]
    assert "img" not in {element.tag for element in parse_page(files["a-player-1.html"]).iter()}
    other_value = commands.set_photos(value, photos=((get_player(make_full_tournament(), 2).id, "/9j/d29ybGQ="),))
    assert name not in make_site(other_value)
    hidden = value.put(replace(value.event, details_shown=False))
    assert not [name for name in make_site(hidden) if name.startswith("photo-")]


def test_site_pages_omit_invalid_photos() -> None:
    value = make_full_tournament()
    files = make_site(value.put(Photo(get_player(value, 2).id, "PGI+aGk8L2I+")))
    assert not [name for name in files if name.startswith("photo-")]
    assert not list(iterate_elements(parse_page(files["index.html"]), "img"))


def test_site_pages_have_link_previews() -> None:
    pages = make_site(make_full_tournament())
    metas = {
        element.attrib.get("property") or element.attrib.get("name"): element.attrib["content"]
        for element in iterate_elements(parse_page(pages["a-standings.html"]), "meta")
        if "content" in element.attrib
    }
    assert metas["og:title"] == "Standings after round 2"
    assert metas["og:site_name"] == make_full_tournament().event.name
    assert metas["og:description"] == metas["description"]
    assert metas["description"].startswith("Division A · Leiden · ")


@pytest.mark.parametrize(
    ("held", "text"),
    [
        (0, b"Results and standings will be announced later."),
        (1, b"The rounds after round 1 will be announced later."),
    ],
)
def test_site_explains_held_results(held: int, text: bytes) -> None:
    value = pair_rounds(make_event(4, rounds=3), times=2)
    files = make_site(value.put(replace(value.divisions[DIVISION], held_after=held)))
    assert text in files["index.html"]
    assert b" results</p>" not in files["index.html"], "the count of results is public"
    assert text in files["a-round-2.html"]
    assert (text in files["a-round-1.html"]) == (held == 0)
    assert b"announced later" not in make_site(value)["index.html"]


def test_site_omits_held_standings() -> None:
    value = pair_rounds(make_event(4, rounds=3), times=2)
    held_value = value.put(replace(value.divisions[DIVISION], held_after=1))
    files = make_site(held_value)
    assert "a-standings-2.html" not in files
    assert b"The rounds after round 1 will be announced later." in files["a-standings.html"]
    assert all(row[-1] == "" for row in read_rows(files["a-round-2.html"]))


def test_site_is_repeatable() -> None:
    assert dict(Site(make_full_tournament(), make_catalogue(), TEMPLATES).make_all_files()) == make_site(
        make_full_tournament()
    )


def test_site_of_a_new_tournament_has_a_home_page() -> None:
    value = commands.new_tournament(key="n", name="New", ruleset=make_event(2).ruleset)
    files = make_site(value)
    assert not find_dead_links(files)
    assert set(files) == {"index.html", *FEEDS, *ASSETS}


def test_site_search_key_has_no_accents() -> None:
    value = rename_player(make_event(3), 1, "Øyvind Åström-Łukasz")
    keys = [
        element.attrib["data-key"]
        for element in iterate_elements(parse_page(make_site(value)["index.html"]), "li")
        if "data-key" in element.attrib
    ]
    assert "oyvind astrom lukasz" in keys


# --- the folder


def test_write_folder_removes_old_files(tmp_path: Path) -> None:
    folder = tmp_path / "www" / "open"
    assert replace_folder_content(folder, [("old.html", b"1"), ("index.html", b"1")]) == 2
    assert replace_folder_content(folder, [("index.html", b"2")]) == 1
    assert {path.name for path in folder.iterdir()} == {"index.html", MARKER_FILE}
    assert (folder / "index.html").read_bytes() == b"2"
    assert [path.name for path in folder.parent.iterdir()] == ["open"]


def test_write_folder_refuses_a_folder_with_other_files(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert replace_folder_content(tmp_path / "empty", [("index.html", b"")]) == 1
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(InputError, match="site-folder-taken"):
        replace_folder_content(tmp_path, [("index.html", b"")])
    with pytest.raises(InputError, match="site-folder-taken"):
        replace_folder_content(tmp_path / "letter.txt", [("index.html", b"")])
    assert (tmp_path / "letter.txt").read_text() == "mine"


def test_write_folder_keeps_hidden_files(tmp_path: Path) -> None:
    folder = tmp_path / "www"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("main")
    for _ in range(2):
        replace_folder_content(folder, [("a.html", b"a")])
    assert {path.name for path in folder.iterdir()} == {".git", "a.html", MARKER_FILE}
    assert (folder / ".git" / "HEAD").read_text() == "main"


def test_write_folder_keeps_the_old_site_after_an_error(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    replace_folder_content(folder, [("index.html", b"old")])

    def make_files_until_an_error() -> Iterator[tuple[str, bytes]]:
        yield "index.html", b"new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace_folder_content(folder, make_files_until_an_error())
    assert (folder / "index.html").read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_write_folder_reports_an_unwritable_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file-unwritable"):
        replace_folder_content(tmp_path / "file" / "site", [("index.html", b"")])
