"""What can be written on the command line: the verbs with their options.

What runs a verb, and what its options may be, is loaded when it is called.
"""

from __future__ import annotations

import os
import re
from argparse import Action, ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn, cast

if TYPE_CHECKING:
    from tdapp.cli.program import Program

Option = tuple[tuple[str, ...], dict[str, object]]


class Verb(NamedTuple):
    """One verb: its function as `module.function` of this room, its line of help, and its options."""

    name: str
    help: str
    options: tuple[Option, ...]

    def run(self, program: Program, options: Namespace) -> object:
        """Run it; return its exit code, or what it has done or found as JSON; for people it prints."""
        module, _, function = self.name.partition(".")
        return getattr(import_module(f"tdapp.cli.{module}"), function)(program, options)


def _option(*names: str, **how: object) -> Option:
    return names, how


def _verb(name: str, purpose: str, *options: Option) -> Verb:
    return Verb(name, purpose, options)


def _place(text: str) -> object:
    from tdapp.storage.address import place_of

    return place_of(text)


def _page_url(text: str) -> str:
    if not re.fullmatch(r"https?://[A-Za-z0-9.:\[\]-]+/?", text):
        raise ArgumentTypeError(f"“{text}” is not an address such as http://192.168.1.5:8089/")
    return text.removesuffix("/") + "/"


def _day(text: str) -> str:
    return date.fromisoformat(text).isoformat()


def _bounds(text: str) -> tuple[int, int]:
    found = re.fullmatch("([0-9]{1,3})(?:-([0-9]{1,3}))?", text)
    if found is None:
        raise ArgumentTypeError(f"“{text}” is not a number or two such as 20-300")
    return int(found[1]), int(found[2] or found[1])


def _languages() -> Iterable[str]:
    from tdapp.i18n.catalogue import LANGUAGES

    return LANGUAGES


def _formats() -> Iterable[str]:
    from tdapp.exchange.outgoing import EXPORTS
    from tdapp.web.site_folder import FORMAT

    return (*EXPORTS, FORMAT)


def _worths() -> Iterable[str]:
    from tdapp.domain.ruleset import AwardBy

    return (*(one.value for one in AwardBy if one is not AwardBy.FIXED), "rules")


def _sanctions() -> Iterable[str]:
    from tdapp.scrabble.sheet import SanctionKind

    return SanctionKind


def _papers() -> Iterable[str]:
    from tdapp.reports import PAPERS

    return PAPERS


def _moments() -> Iterable[str]:
    from tdapp.domain.paper import Moment

    return Moment


def _roles() -> Iterable[str]:
    from tdapp.domain.roles import Role

    return Role


_FILE = _option("file", type=_place, metavar="FILE")
_DIVISION = _option("--division", metavar="D", help="the division's code")
_ROUND = _option("--round", type=int, metavar="N", help="default: the last published round")
_OPTIONAL_FILE = _option("file", type=_place, nargs="?", metavar="FILE")
_ADDRESS = _option("address", type=_place, metavar="URL")
_NUMBER = _option("number", type=int)
_FROM_ROUND = _option("--from-round", "--round", type=int, metavar="N", help="default: the next one")
_TABLE = _option("--table", type=int, required=True, metavar="T")
_RULES = _option("--rules", required=True, metavar="ID", help="a rule set, see rulesets")
_AFTER = _option("--after", "--round", type=int, metavar="N", help="after round N; default: the last")
_THEN = _option(
    "--then",
    action="append",
    default=[],
    metavar="COMMAND",
    help="run it once the pages are written, {folder} is their folder: rsync, scp, git; may be repeated",
)
_READ_AT = _option(
    "--address", default="", metavar="URL", help="where the pages will be read, such as https://example.org/open/"
)
_GAME = (_FILE, _ROUND, _TABLE, _DIVISION)
_RANKED = (_FILE, _DIVISION, _AFTER)
_LEAVER = (_FILE, _NUMBER, _FROM_ROUND, _DIVISION)

VERBS: Mapping[str, Verb] = {
    "new": _verb(
        "pairing.new",
        "make an empty tournament",
        _FILE,
        _option("--name", required=True),
        _RULES,
        _option("--system", default="swiss"),
        _option("--rounds", type=int, default=7),
        _option("--seed", type=int, default=1),
        _option("--times", default="", metavar="PLAN", help="when rounds begin, such as '10:00 +65, 4: 13:30'"),
        _option("--check-first", action="store_true", help="pair only on results that the jury has checked"),
    ),
    "rulesets": _verb("showing.rulesets", "list the rule sets"),
    "import": _verb(
        "files.import_file",
        "import players, results, divisions or a tournament",
        _FILE,
        _option("source", type=Path, metavar="SOURCE"),
        _DIVISION,
        _option("--sheet", metavar="NAME", help="of a spreadsheet; else the one that looks most like players"),
        _option("--update", action="store_true", help="players who are there take over what a list says"),
        _option("--names", action="store_true", help="as --update, and their names too"),
        _option("--namesakes", action="store_true", help="a name that is there already is another player's"),
        _option("--keep-order", action="store_true", help="rank by the rules here, not as the file's program"),
        _option("--ratings", action="store_true", help="only the ratings of players who are there"),
    ),
    "export": _verb(
        "files.export",
        "export the tournament or a division",
        _FILE,
        _option("target", type=Path, metavar="TARGET"),
        _option(
            "--format",
            choices=_formats,
            help="csv: the standings; players: a list that import reads; rated: games for a rating list; "
            "txt, round-txt: for mail; tsh: a folder for tsh; wespa, naspa: for rating officers; trf: "
            "a report as of chess; html: a folder of pages for browsers",
        ),
        _ROUND,
        _option("--public", action="store_true", help="only what the public may see: for sharing"),
        _THEN,
        _READ_AT,
        _DIVISION,
    ),
    "players": _verb("showing.players", "list the players", _FILE, _DIVISION),
    "withdraw": _verb("verbs.withdraw", "let a player leave", *_LEAVER),
    "return": _verb("verbs.return_player", "let a player who left play again", *_LEAVER),
    "move": _verb(
        "verbs.move",
        "move players to another division; their games stay behind",
        _FILE,
        _option("numbers", type=int, nargs="+", metavar="NUMBER"),
        _option("--to", required=True, metavar="D", help="the other division's code"),
        _DIVISION,
    ),
    "merge": _verb(
        "verbs.merge",
        "merge a division into another one, with its games",
        _FILE,
        _option("--division", required=True, metavar="D", help="the division that goes"),
        _option("--into", required=True, metavar="D", help="the division that stays"),
    ),
    "pair": _verb(
        "pairing.pair",
        "pair and publish the next round",
        _FILE,
        _option("--assume", action="store_true", help="take games without a result as drawn"),
        _DIVISION,
    ),
    "pairings": _verb("showing.pairings", "show a round", _FILE, _ROUND, _DIVISION),
    "result": _verb(
        "verbs.result",
        "enter or correct a result",
        *_GAME,
        _option("score1", type=int, nargs="?"),
        _option("score2", type=int, nargs="?"),
        _option("--forfeit", choices=("1", "2", "both"), help="who lost by forfeit"),
        _option("--cause", choices=("late", "walk-over"), help="why it was forfeited, where margins differ by it"),
        _option("--first", choices=("1", "2"), help="who started, where the tiles decided"),
        _option("--overtime1", type=int, default=0, metavar="S", help="seconds beyond the first player's clock"),
        _option("--overtime2", type=int, default=0, metavar="S"),
        _option("--rack1", metavar="TILES", help="left on the first player's rack; empty: is out"),
        _option("--rack2", metavar="TILES"),
        _option("--flag", choices=("1", "2"), help="whose clock ran out"),
        _option("--confirmed", action="store_true", help="keep an implausible score"),
    ),
    "sheet": _verb(
        "jury.sheet",
        "enter a game's score sheet, whose totals become the result, or a folder of sheets",
        _FILE,
        _ROUND,
        _option("--table", type=int, metavar="T"),
        _DIVISION,
        _option("sheet", type=Path, metavar="SHEET", help="GCG or JSON; in a folder 12.gcg, 12-2.json by table"),
        _option("--form", type=int, choices=(1, 2), default=1, help="which of two forms; 1 makes the result"),
        _option("--anyway", action="store_true", help="also where it names others than who sits at the table"),
        _option("--reason", default="", help="why a certified result is changed"),
    ),
    "rule": _verb(
        "jury.rule",
        "rule that a word on a game's form is wrong; no sheet has to be typed",
        *_GAME,
        _option("--player", type=int, choices=(1, 2), required=True, help="who laid it: 1 started"),
        _option("--word", required=True, metavar="W"),
        _option("--score", type=int, required=True, metavar="S", help="of the whole turn"),
        _option("--wrong-words", type=int, default=1, metavar="K", help="of the turn"),
        _option("--stands", action="store_true", help="it is a word after all, on appeal"),
        _option("--why", default="", metavar="TEXT"),
        _option("--author", default="", metavar="NAME"),
    ),
    "checked": _verb(
        "jury.checked",
        "mark results as checked by the jury",
        _FILE,
        _ROUND,
        _option("--table", type=int, action="extend", nargs="+", metavar="T", help="only these"),
        _option("--all", action="store_true", help="all without a doubt; the others are listed"),
        _option("--anyway", action="store_true", help="the tables named also where something is in doubt"),
        _option("--wordlist", type=Path, metavar="LEX", help="an edition, to look up the words of sheets"),
        _option("--author", default="", metavar="NAME"),
        _DIVISION,
    ),
    "sanction": _verb(
        "jury.sanction",
        "punish a player; without one list the sanctions",
        _FILE,
        _option("player", type=int, nargs="?", metavar="PLAYER"),
        _option(
            "kind",
            nargs="?",
            choices=_sanctions,
        ),
        _ROUND,
        _option("--points", type=int, default=0, metavar="P"),
        _option("--why", metavar="TEXT"),
        _option("--author", default="", metavar="NAME"),
        _DIVISION,
    ),
    "results": _verb(
        "files.results",
        "enter many results, all or none",
        _FILE,
        _option("source", type=Path, metavar="RESULTS.csv"),
        _DIVISION,
    ),
    "standings": _verb(
        "showing.standings",
        "show the standings",
        *_RANKED,
        _option("--class", dest="category", metavar="X", help="of one class only"),
    ),
    "teams": _verb(
        "awards.teams",
        "show the standings of teams",
        *_RANKED,
        _option("--best", type=int, metavar="K", help="only the best K count"),
    ),
    "prizes": _verb("awards.prizes", "show the prizes with their winners", *_RANKED),
    "news": _verb(
        "news.news",
        "show what became a record in which round; a list (CSV: kind, value, name, date, list) is kept first",
        _FILE,
        _option("list", type=Path, nargs="?", metavar="LIST", help="records of a club or a country"),
        _option("--without", action="store_true", help="keep no list any more"),
        _DIVISION,
        _AFTER,
    ),
    "ratings": _verb(
        "awards.ratings",
        "show performances and new ratings",
        _OPTIONAL_FILE,
        _DIVISION,
        _AFTER,
        _option("--system", default="", metavar="ID", help="default: the division's"),
        _option("--list", action="store_true", help="name the rating systems"),
    ),
    "chances": _verb(
        "awards.chances",
        "show everybody's chances of places and prizes; with --json each place's share, from the first",
        _FILE,
        _DIVISION,
    ),
    "rehearse": _verb(
        "awards.rehearse",
        "play the planned day many times over, and another plan beside it; changes nothing",
        _FILE,
        _DIVISION,
        _option("--system", metavar="S", help="another pairing system in the first stage"),
        _option("--rounds", type=int, metavar="R", help="as many rounds in the first stage"),
        _option("--cut", type=int, metavar="K", help="then a knockout of the best K; 0: nothing after it"),
        _option("--times", type=int, metavar="N", help="plays; default: 300, fewer of a large field"),
    ),
    "stages": _verb("showing.stages", "show a division's schedule: its stages", _FILE, _DIVISION),
    "bye": _verb(
        "awards.bye",
        "set what a bye or a win by forfeit adds to a player's total of points; without a player list them",
        _FILE,
        _option("number", type=int, nargs="?", metavar="PLAYER"),
        _ROUND,
        _option(
            "--by",
            choices=_worths,
            help="an average, or what the rule set says",
        ),
        _option("--points", type=int, metavar="P", help="a fixed number"),
        _DIVISION,
    ),
    "times": _verb(
        "verbs.times",
        "say when the rounds begin, or plan it",
        _FILE,
        _option("plan", nargs="?", metavar="PLAN", help="such as '10:00 +65, 4: 13:30, 8: 2/10:00'; '': no times"),
        _DIVISION,
    ),
    "what-if": _verb(
        "what_if.what_if",
        "say what would change if two players met, or one had the bye",
        _FILE,
        _option("player", type=int, metavar="PLAYER"),
        _option("other", type=int, nargs="?", metavar="OTHER"),
        _DIVISION,
    ),
    "balance": _verb("showing.balance", "show who has started, met again and waited how often", *_RANKED),
    "bracket": _verb("showing.bracket", "show a knockout's bracket", _FILE, _DIVISION),
    "print": _verb(
        "printing.print_report",
        "write a report as PDF",
        _OPTIONAL_FILE,
        _option("report", nargs="?", metavar="REPORT"),
        _option("-o", "--output", type=Path, metavar="OUT.pdf"),
        _ROUND,
        _DIVISION,
        _option("--class", dest="category", default="", metavar="X", help="standings of one class"),
        _option("--best", type=int, metavar="K", help="teams: only the best K of each count"),
        _option("--paper", choices=_papers, default="a4"),
        _option("--columns", type=int, choices=(1, 2), help="of rows; default: as the report has them"),
        _option("--set", choices=_moments, help="all papers of a moment, as chosen in the window"),
        _option("--wordlist", type=Path, metavar="LEX", help="an edition, for the reports about words"),
        _option("--room", type=_page_url, metavar="URL", help="what `serve` shows: slips to scan"),
        _option(
            "--not-noted",
            dest="noted",
            action="store_false",
            help="do not note in the tournament that it was printed",
        ),
        _option("--many", action="store_true", help="also more than 300 pages"),
        _option("--list", action="store_true", help="name the reports"),
    ),
    "check": _verb("pairing.check", "check the file and name open problems", _FILE),
    "verify": _verb(
        "showing.verify",
        "say whether the file continues from its printouts; exit code 2 where it does not",
        _FILE,
        _option(
            "--head",
            action="append",
            default=[],
            metavar="H",
            help="as printed at the foot of a page, with its step or without; may be repeated",
        ),
    ),
    "history": _verb("showing.history", "show every step", _FILE),
    "undo": _verb("verbs.undo", "take back the newest step", _FILE),
    "redo": _verb("verbs.redo", "do again what was undone last", _FILE),
    "erase": _verb(
        "verbs.erase",
        "erase personal data for good; results stay",
        _FILE,
        _option("numbers", type=int, nargs="*", metavar="NUMBER"),
        _option("--everybody", action="store_true", help="also who was entered and taken off the list"),
        _option("--snapshots", action="store_true", help="delete those that hold the data"),
        _DIVISION,
    ),
    "snapshot": _verb(
        "verbs.snapshot", "copy the tournament", _FILE, _option("target", type=Path, metavar="TARGET")
    ),
    "demo": _verb(
        "pairing.demo",
        "make a played sample tournament",
        _FILE,
        _option("--players", type=int, default=24),
        _option("--rounds", type=int, default=7),
        _option("--seed", type=int, default=1),
    ),
    "referee": _verb(
        "referee.referee",
        "make FOLDER: events to try a pairing program on; check FILE...: what is wrong with the pairings, starts "
        "and ranks of an event, whoever paired it; exit code 0 nothing, 1 something, 2 not readable",
        _option("what", choices=("make", "check")),
        _option("paths", type=Path, nargs="+", metavar="PATH"),
        _option(
            "--players", type=_bounds, default=(20, 300), metavar="20-300", help="make: between these numbers"
        ),
        _option("--rounds", type=_bounds, default=(5, 15), metavar="5-15", help="make: likewise"),
        _option("--played", type=int, metavar="N", help="make: only so many rounds are played"),
        _option("--seed", type=int, default=1, help="make: the same seed gives the same events everywhere"),
        _option("--events", type=int, default=10, metavar="K"),
        _option("--format", choices=("json", "trf", "tsh", "tourney.js"), default="json"),
        _option("--system", metavar="S", help="default: Swiss, within score groups first against last"),
        _option("--rules", default="wespa", metavar="ID", help="a rule set, see rulesets, where a file has none"),
    ),
    "lexicon": _verb(
        "lexicon.lexicon",
        "build LIST LEX: a word list edition; supplement LEX CHANGES LEX: with changes; compare LEX LEX; "
        "info LEX: about one; found: practice lists on this machine",
        _option("what", choices=("build", "supplement", "compare", "info", "found")),
        _option("paths", type=Path, nargs="*", metavar="FILE"),
        _option("--language", metavar="L", help="nl, nb, nn, no, de, en ..."),
        _option("--name", metavar="N", help="the edition's name; else the list's"),
        _option("--date", type=_day, metavar="YYYY-MM-DD", help="the edition's date; else the list's"),
        _option("--binding-max-length", type=int, metavar="K", help="longer words are for the jury"),
        _option("--encoding", metavar="E", help="of the list; else told from its content"),
        _option("--without-hyphens", action="store_true", help="no words with hyphen or apostrophe"),
        _option("--without-names", action="store_true", help="no words with a capital letter"),
        _option("--practice", action="store_true", help="label it a practice list"),
    ),
    "judge": _verb(
        "lexicon.judge",
        "one verdict for a whole play; exit code 0 valid, 1 invalid, 3 not binding",
        _option("lexicon", type=Path, metavar="LEX"),
        _option("words", nargs="+", metavar="WORD"),
    ),
    "score": _verb(
        "jury.score",
        "judge a score sheet under a rule set",
        _option("sheet", type=Path, metavar="SHEET"),
        _RULES,
        _option("--lexicon", type=Path, metavar="LEX", help="a word list edition to check the words with"),
    ),
    "gcg": _verb(
        "jury.gcg",
        "recompute an annotated game",
        _option("file", type=Path, metavar="FILE.gcg"),
        _option("--tiles", metavar="ID", help="a tile set; else the one that fits best"),
    ),
    "share": _verb(
        "network.share",
        "bring a tournament to an empty PostgreSQL database, for several stations",
        _option("file", type=Path, metavar="FILE"),
        _ADDRESS,
    ),
    "unshare": _verb(
        "network.unshare",
        "bring a shared tournament back into its file, and end the sharing",
        _option("file", type=Path, metavar="FILE"),
        _option("address", type=_place, nargs="?", metavar="URL", help="else the one that the file notes"),
        _option(
            "--leave-server", action="store_true", help="go on with FILE as it is: the server is gone for good"
        ),
    ),
    "admit": _verb(
        "network.admit",
        "let a station take part in a shared tournament; its password is shown once",
        _ADDRESS,
        _option("login", metavar="NAME"),
        _option("role", choices=_roles),
    ),
    "fetch": _verb(
        "network.fetch",
        "copy a shared tournament to a new file",
        _ADDRESS,
        _option("file", type=Path, metavar="FILE"),
    ),
    "repair": _verb(
        "network.repair",
        "bring a shared tournament that no longer opens back to its last sound step (its owner only), "
        "or save what can be read of a damaged file in a new one",
        _option("address", type=_place, metavar="URL|FILE"),
        _option("copy", type=Path, nargs="?", metavar="COPY", help="a file of it: a station's copy, a snapshot"),
        _option("-o", "--output", type=Path, metavar="NEW", help="the new file, for what can be read of FILE"),
    ),
    "serve": _verb(
        "network.serve",
        "show the tournament to phones and projectors on the network, until Ctrl+C",
        _FILE,
        _option("--port", type=int, default=8089, metavar="N", help="default 8089; 0: any that is free"),
        _option("--host", metavar="ADDR", help="an address of this computer; default: one that others reach"),
        _option("--entry", action="store_true", help="let players enter results with codes of their slips"),
        _option("--check-in", action="store_true", help="let players check in by typing their name"),
        _option(
            "--featured", type=int, default=0, metavar="TABLE", help="let a helper type the game of this table"
        ),
        _option("--delay", type=int, default=0, metavar="MIN", help="minutes until that is public, 0 to 30"),
        _option("--https", action="store_true", help="encrypt it, with a certificate that is made here"),
        _option("--site", type=Path, metavar="FOLDER", help="write the pages there too, after each round"),
        _THEN,
        _READ_AT,
    ),
    "schema": _verb(
        "schemas.print_schema",
        "print the JSON Schema of what a verb prints with --json, of data.json or export.json; else name them",
        _option("name", nargs="?", metavar="NAME"),
    ),
    "do": _verb(
        "do.do_verb",
        "run any command by its id",
        _OPTIONAL_FILE,
        _option("command", nargs="?", metavar="COMMAND"),
        _option("words", nargs="*", metavar="key=value"),
        _option("--list", action="store_true", help="name the commands with their arguments"),
    ),
    "completion": _verb(
        "completion.completion",
        'print what a shell reads to complete words: eval "$(tdapp completion bash)"',
        _option("shell", choices=("bash", "zsh", "fish")),
    ),
    "man": _verb("completion.man", "print the page of the manual, for man"),
}


COMMON: tuple[Option, ...] = (
    _option("--lang", choices=_languages, help="the language of texts"),
    _option("--json", action="store_true", help="print one JSON document"),
    _option("--quiet", action="store_true", help="print nothing but what is wrong, and JSON"),
    _option("--log", type=Path, metavar="FILE", help="note there what was run and how it ended"),
)
NOTES = """
A file named - is standard input or output. The language is that of LC_ALL, LC_MESSAGES or LANG, or of --lang.
FILE is a tournament's file, or the address of a shared one: postgresql://NAME@HOST/DATABASE.
The password is better not typed there: PGPASSWORD in the environment or ~/.pgpass has it."""


class _Parser(ArgumentParser):
    """Reports what is wrong in one line, without a password that was typed."""

    def error(self, message: str) -> NoReturn:
        """Leave with exit code 2."""
        from tdapp.storage.address import masked

        self.exit(2, f"{self.prog}: {masked(message)} ({self.prog} --help tells more)\n")


class _Versions(Action):
    """Prints the versions, which are looked for only then."""

    def __call__(self, parser: ArgumentParser, *_given: object) -> None:
        """Print them and leave."""
        from tdapp.versions import versions

        print("\n".join(f"{name} {version}" for name, version in versions().items()))
        parser.exit()


FURTHER: tuple[Option, ...] = (
    _option("--version", action=_Versions, nargs=0, help="show program's version number and exit"),
    _option("--self-test", action="store_true", help="try every part of the program and say what works"),
)


def parse(given: Sequence[str]) -> Namespace:
    """Return the verb and its options; prints help, or what is wrong, and leaves with SystemExit."""
    top = _Parser(
        prog="tdapp",
        description="Run Scrabble tournaments. Without a verb: open the window.",
        epilog="\n".join(f"  {name:12}{verb.help}" for name, verb in VERBS.items()) + "\n" + NOTES,
        formatter_class=RawDescriptionHelpFormatter,
    )
    for names, how in FURTHER:
        top.add_argument(*names, **how)  # type: ignore[arg-type]
    top.add_argument("verb", type=_known_verb, metavar="VERB", help="see below; VERB --help tells more")
    before = _common_before_verb(given)
    verb = top.parse_args(given[before : before + 1]).verb
    return verb_parser(verb).parse_intermixed_args([*given[:before], *given[before + 1 :]], Namespace(verb=verb))


def _common_before_verb(given: Sequence[str]) -> int:
    """Return how many arguments stand before the verb: options that all verbs have."""
    alone = {name: "action" in how for names, how in COMMON for name in names}
    at = 0
    while at < len(given) and (name := given[at].partition("=")[0]) in alone:
        at += 1 if alone[name] or "=" in given[at] else 2
    return at


def _known_verb(name: str) -> str:
    if name not in VERBS:
        from difflib import get_close_matches

        near = get_close_matches(name, VERBS, n=1)
        raise ArgumentTypeError(f"there is no “{name}”" + (f"; did you mean “{near[0]}”?" if near else ""))
    return name


def verb_parser(name: str) -> ArgumentParser:
    """Return what reads the options of a verb."""
    from tdapp.i18n.catalogue import language_of

    verb = VERBS[name]
    own = _Parser(prog=f"tdapp {name}", description=verb.help)
    for names, how in (*COMMON, *verb.options):
        given = {**how, "choices": allowed(how)} if "choices" in how else how
        own.add_argument(*names, **given)  # type: ignore[arg-type]
    own.set_defaults(lang=language_of(os.environ))
    return own


def allowed(how: Mapping[str, object]) -> tuple[object, ...] | None:
    """Return what may stand behind an option; None where anything may."""
    choices = how.get("choices")
    return tuple(map(str, choices())) if callable(choices) else cast("tuple[object, ...] | None", choices)


def picture_arguments(given: Sequence[str]) -> tuple[Path, Path]:
    """Return the arguments of `picture FILE -o OUT.png`: the tournament and the target."""
    sub = ArgumentParser(prog="tdapp picture", description="save a picture of the window")
    sub.add_argument("file", type=Path, metavar="FILE")
    sub.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.png")
    options = sub.parse_args(given)
    return options.file, options.output
