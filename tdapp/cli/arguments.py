"""Declarations of the verbs and their options. Their code is loaded on demand."""

from __future__ import annotations

from argparse import BooleanOptionalAction, Namespace
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tdapp.cli.options import (
    ADDRESS,
    AFTER,
    DIVISION,
    FILE,
    GAME,
    LEAVER,
    OPTIONAL_FILE,
    RANKED,
    READ_AT,
    ROUND,
    RULES,
    THEN,
    Option,
    export_formats,
    load_choices,
    option,
    page_url,
    read_bounds,
    read_day,
    read_place,
    worth_names,
)

if TYPE_CHECKING:
    from tdapp.cli.program import Program


class Verb(NamedTuple):
    """The path of its function in this package (`module.function`), help line and options.

    A verb with a `command` only runs it: each option has the name of an argument.
    """

    path: str
    help: str
    options: tuple[Option, ...]
    command: str = ""

    def load(self) -> Callable[[Program, Namespace], object]:
        """Return its function, which returns a document, or a document and the exit code."""
        module, _, function = self.path.partition(".")
        found: Callable[[Program, Namespace], object] = getattr(import_module(f"tdapp.cli.{module}"), function)
        return found


def _verb(path: str, purpose: str, *options: Option) -> Verb:
    return Verb(path, purpose, options)


def _command(command: str, purpose: str, *options: Option) -> Verb:
    return Verb("do.run_verb", purpose, options, command)


VERBS: Mapping[str, Verb] = {
    "new": _verb(
        "pairing.new",
        "make an empty tournament",
        FILE,
        option("--name", required=True),
        RULES,
        option("--system", default="swiss"),
        option("--rounds", type=int, default=7),
        option("--seed", type=int, default=1),
        option("--times", default="", metavar="PLAN", help="when rounds begin, such as '10:00 +65, 4: 13:30'"),
        option(
            "--check-first",
            action=BooleanOptionalAction,
            help="pair only on results that the jury has checked; default: as the rule set",
        ),
    ),
    "rulesets": _verb("read_verbs.rulesets", "list the rule sets"),
    "import": _verb(
        "files.import_file",
        "import players, results, divisions or a tournament",
        FILE,
        option("source", type=Path, metavar="SOURCE"),
        DIVISION,
        option("--sheet", metavar="NAME", help="of a spreadsheet; else the one that looks most like players"),
        option("--first-last", action="store_true", help="names are written “First name Last name”"),
        option("--update", action="store_true", help="players who are there take over what a list says"),
        option("--names", action="store_true", help="as --update, and their names too"),
        option("--namesakes", action="store_true", help="a name that is there already is another player's"),
        option("--keep-order", action="store_true", help="rank by the rules here, not as the file's program"),
        option("--ratings", action="store_true", help="only the ratings of players who are there"),
        option(
            "--encoding",
            choices=load_choices("tdapp.exchange.text", "ENCODINGS"),
            help="of a text; else detected from its letters",
        ),
    ),
    "export": _verb(
        "files.export",
        "export the tournament or a division",
        FILE,
        option("target", type=Path, metavar="TARGET"),
        option(
            "--format",
            choices=export_formats,
            help="csv: the standings; players: a list that import reads; rated: games for a rating list; "
            "txt, round-txt: for mail; tsh: a folder for tsh; wespa, naspa: for rating officers; trf: "
            "a report as of chess; html: a folder of pages for browsers",
        ),
        ROUND,
        option("--public", action="store_true", help="only what the public may see: for sharing"),
        THEN,
        READ_AT,
        DIVISION,
    ),
    "players": _verb("read_verbs.players", "list the players", FILE, DIVISION),
    "withdraw": _command("withdraw-player", "let a player leave", *LEAVER),
    "return": _command("return-player", "let a player who left play again", *LEAVER),
    "move": _verb(
        "verbs.move",
        "move players to another division; their games stay behind",
        FILE,
        option("numbers", type=int, nargs="+", metavar="NUMBER"),
        option("--to", required=True, metavar="D", help="the other division's code"),
        DIVISION,
    ),
    "merge": _verb(
        "verbs.merge",
        "merge a division into another one, with its games",
        FILE,
        option("--division", required=True, metavar="D", help="the division that goes"),
        option("--into", required=True, metavar="D", help="the division that stays"),
    ),
    "pair": _verb(
        "pairing.pair",
        "pair and publish the next round",
        FILE,
        option("--assume", action="store_true", help="take games without a result as drawn"),
        DIVISION,
    ),
    "pairings": _verb("read_verbs.pairings", "show a round", FILE, ROUND, DIVISION),
    "result": _verb(
        "verbs.result",
        "enter or correct a result",
        *GAME,
        option("score1", type=int, nargs="?"),
        option("score2", type=int, nargs="?"),
        option("--forfeit", choices=("1", "2", "both"), help="who lost by forfeit"),
        option("--cause", choices=("late", "walk-over"), help="why it was forfeited, where margins differ by it"),
        option("--first", choices=("1", "2"), help="who started, where the tiles decided"),
        option("--overtime1", type=int, default=0, metavar="S", help="seconds beyond the first player's clock"),
        option("--overtime2", type=int, default=0, metavar="S"),
        option("--rack1", metavar="TILES", help="left on the first player's rack; empty: is out"),
        option("--rack2", metavar="TILES"),
        option("--flag", choices=("1", "2"), help="whose clock ran out"),
        option("--confirmed", action="store_true", help="keep a rare or implausible score"),
        option("--after-rulings", action="store_true", help="the scores have the jury's rulings on words already"),
        option(
            "--verdicts",
            choices=("apply", "refuse"),
            help="of the judge screen: change the total, or it has them; alone: of the result that is there",
        ),
    ),
    "sheet": _verb(
        "jury.sheet",
        "enter a game's score sheet, whose totals become the result, or a folder of sheets",
        FILE,
        ROUND,
        option("--table", type=int, metavar="T"),
        DIVISION,
        option("sheet", type=Path, metavar="SHEET", help="GCG or JSON; in a folder 12.gcg, 12-2.json by table"),
        option("--form", type=int, choices=(1, 2), default=1, help="which of two forms; 1 makes the result"),
        option("--anyway", action="store_true", help="also where it names others than who sits at the table"),
        option("--reason", default="", help="why a certified result is changed"),
        option("--author", default="", metavar="NAME"),
    ),
    "rule": _verb(
        "jury.rule",
        "rule that a word on a game's form is wrong; no sheet has to be typed",
        *GAME,
        option("--player", type=int, choices=(1, 2), required=True, help="who laid it: 1 started"),
        option("--word", required=True, metavar="W"),
        option("--score", type=int, required=True, metavar="S", help="of the whole turn"),
        option("--wrong-words", type=int, default=1, metavar="K", help="of the turn"),
        option("--another", action="store_true", help="in another turn than the one that is ruled wrong already"),
        option(
            "--replace",
            type=int,
            nargs="?",
            const=-1,
            metavar="S",
            help="correct the ruling on the turn of S points; without S on the only one",
        ),
        option("--stands", action="store_true", help="it is a word after all, on appeal"),
        option("--confirmed", action="store_true", help="also a turn worth more than the player's whole game"),
        option("--why", default="", metavar="TEXT"),
        option("--author", default="", metavar="NAME"),
    ),
    "checked": _verb(
        "jury.checked",
        "mark results as checked by the jury",
        FILE,
        ROUND,
        option("--table", type=int, action="extend", nargs="+", metavar="T", help="only these"),
        option("--all", action="store_true", help="all without a doubt; the others are listed"),
        option("--anyway", action="store_true", help="the tables named also where something is in doubt"),
        option("--wordlist", type=Path, metavar="LEX", help="an edition, to look up the words of sheets"),
        option("--author", default="", metavar="NAME"),
        DIVISION,
    ),
    "sanction": _verb(
        "jury.sanction",
        "punish a player; without one list the sanctions",
        FILE,
        option("player", nargs="?", metavar="PLAYER", help="number, or a part of the name"),
        option("kind", nargs="?", choices=load_choices("tdapp.scrabble.sheet", "SanctionKind")),
        ROUND,
        option("--points", type=int, default=0, metavar="P"),
        option("--why", metavar="TEXT"),
        option("--author", default="", metavar="NAME"),
        DIVISION,
    ),
    "results": _verb(
        "files.results",
        "enter many results, all or none",
        FILE,
        option(
            "source",
            type=Path,
            metavar="RESULTS.csv",
            help="columns round, table, score1, score2 (in the order of the table), first (1 or 2: the starter)",
        ),
        DIVISION,
    ),
    "standings": _verb(
        "read_verbs.standings",
        "show the standings",
        *RANKED,
        option("--class", dest="category", metavar="X", help="of one class only"),
    ),
    "teams": _verb(
        "awards.teams",
        "show the standings of teams",
        *RANKED,
        option("--best", type=int, metavar="K", help="only the best K count"),
    ),
    "prizes": _verb("awards.prizes", "show the prizes with their winners", *RANKED),
    "news": _verb(
        "awards.news",
        "show what became a record in which round; a list (CSV: kind, value, name, date, list) is kept first",
        FILE,
        option("list", type=Path, nargs="?", metavar="LIST", help="records of a club or a country"),
        option("--without", action="store_true", help="keep no list any more"),
        DIVISION,
        AFTER,
    ),
    "ratings": _verb(
        "awards.ratings",
        "show performances and new ratings",
        OPTIONAL_FILE,
        DIVISION,
        AFTER,
        option("--system", default="", metavar="ID", help="default: the division's"),
        option("--list", action="store_true", help="name the rating systems"),
    ),
    "chances": _verb(
        "awards.chances",
        "show everybody's chances of places and prizes; with --json each place's share, from the first",
        FILE,
        DIVISION,
    ),
    "rehearse": _verb(
        "awards.rehearse",
        "play the planned day many times over, and another plan beside it; changes nothing",
        FILE,
        DIVISION,
        option("--system", metavar="S", help="another pairing system in the first stage"),
        option("--rounds", type=int, metavar="R", help="as many rounds in the first stage"),
        option("--cut", type=int, metavar="K", help="then a knockout of the best K; 0: nothing after it"),
        option("--times", type=int, metavar="N", help="plays; default: 300, fewer of a large field"),
    ),
    "stages": _verb("read_verbs.stages", "show a division's schedule: its stages", FILE, DIVISION),
    "bye": _verb(
        "awards.bye",
        "set what a bye or a win by forfeit adds to a player's total of points; without a player list them",
        FILE,
        option("number", type=int, nargs="?", metavar="PLAYER"),
        ROUND,
        option("--by", choices=worth_names, help="an average, or what the rule set says"),
        option("--points", type=int, metavar="P", help="a fixed number"),
        DIVISION,
    ),
    "times": _verb(
        "verbs.times",
        "say when the rounds begin, or plan it",
        FILE,
        option("plan", nargs="?", metavar="PLAN", help="such as '10:00 +65, 4: 13:30, 8: 2/10:00'; '': no times"),
        DIVISION,
    ),
    "what-if": _verb(
        "pairing.what_if",
        "say what would change if two players met, or one had the bye",
        FILE,
        option("player", type=int, metavar="PLAYER"),
        option("other", type=int, nargs="?", metavar="OTHER"),
        DIVISION,
    ),
    "balance": _verb("read_verbs.balance", "show who has started, met again and waited how often", *RANKED),
    "bracket": _verb("read_verbs.bracket", "show a knockout's bracket", FILE, DIVISION),
    "print": _verb(
        "printing.print_report",
        "write a report as PDF",
        OPTIONAL_FILE,
        option("report", nargs="?", metavar="REPORT"),
        option("-o", "--output", type=Path, metavar="OUT.pdf"),
        ROUND,
        DIVISION,
        option("--class", dest="category", default="", metavar="X", help="standings of one class"),
        option("--best", type=int, metavar="K", help="teams: only the best K of each count"),
        option("--paper", choices=load_choices("tdapp.reports", "PAPERS"), default="a4"),
        option("--columns", type=int, choices=(1, 2), help="of rows; default: as the report has them"),
        option(
            "--set",
            choices=load_choices("tdapp.domain.paper", "Moment"),
            help="all papers of a moment, as chosen in the window",
        ),
        option("--wordlist", type=Path, metavar="LEX", help="an edition, for the reports about words"),
        option("--room", type=page_url, metavar="URL", help="what `serve` shows: slips to scan"),
        option(
            "--not-noted",
            dest="noted",
            action="store_false",
            help="do not note in the tournament that it was printed",
        ),
        option("--many", action="store_true", help="also more than 300 pages"),
        option("--list", action="store_true", help="name the reports"),
    ),
    "check": _verb("pairing.check", "check the file and name open problems", FILE),
    "verify": _verb(
        "read_verbs.verify",
        "say whether the file continues from its printouts; exit code 2 where it does not",
        FILE,
        option(
            "--head",
            action="append",
            default=[],
            metavar="H",
            help="as printed at the foot of a page, with its step or without; may be repeated",
        ),
    ),
    "history": _verb("read_verbs.history", "show every step", FILE),
    "undo": _verb("verbs.undo", "take back the newest step", FILE),
    "redo": _verb("verbs.redo", "do again what was undone last", FILE),
    "erase": _verb(
        "verbs.erase",
        "erase personal data for good; results stay",
        FILE,
        option("numbers", type=int, nargs="*", metavar="NUMBER"),
        option("--everybody", action="store_true", help="also who was entered and taken off the list"),
        option("--snapshots", action="store_true", help="delete those that hold the data"),
        DIVISION,
    ),
    "snapshot": _verb(
        "verbs.snapshot", "copy the tournament", FILE, option("target", type=Path, metavar="TARGET")
    ),
    "demo": _verb(
        "pairing.demo",
        "make a played sample tournament",
        FILE,
        option("--players", type=int, default=24),
        option("--rounds", type=int, default=7),
        option("--seed", type=int, default=1),
    ),
    "referee": _verb(
        "referee.referee",
        "make FOLDER: events to try a pairing program on; check FILE...: what is wrong with the pairings, starts "
        "and ranks of an event, whoever paired it; exit code 0 nothing, 1 something, 2 not readable",
        option("what", choices=("make", "check")),
        option("paths", type=Path, nargs="+", metavar="PATH"),
        option(
            "--players", type=read_bounds, default=(20, 300), metavar="20-300", help="make: between these numbers"
        ),
        option("--rounds", type=read_bounds, default=(5, 15), metavar="5-15", help="make: likewise"),
        option("--played", type=int, metavar="N", help="make: only so many rounds are played"),
        option("--seed", type=int, default=1, help="make: the same seed gives the same events everywhere"),
        option("--events", type=int, default=10, metavar="K"),
        option("--format", choices=("json", "trf", "tsh", "tourney.js"), default="json"),
        option("--system", metavar="S", help="default: Swiss, within score groups first against last"),
        option("--rules", default="wespa", metavar="ID", help="a rule set, see rulesets, where a file has none"),
    ),
    "lexicon": _verb(
        "lexicon.lexicon",
        "build LIST LEX: a word list edition; supplement LEX CHANGES LEX: with changes; compare LEX LEX; "
        "info LEX: about one; found: practice lists on this machine",
        option("what", choices=("build", "supplement", "compare", "info", "found")),
        option("paths", type=Path, nargs="*", metavar="FILE"),
        option("--language", metavar="L", help="nl, nb, nn, no, de, en ..."),
        option("--name", metavar="N", help="the edition's name; else the list's"),
        option("--date", type=read_day, metavar="YYYY-MM-DD", help="the edition's date; else the list's"),
        option("--binding-max-length", type=int, metavar="K", help="longer words are for the jury; 15: none are"),
        option("--encoding", metavar="E", help="of the list; else told from its content"),
        option("--without-hyphens", action="store_true", help="no words with hyphen or apostrophe"),
        option("--without-names", action="store_true", help="no words with a capital letter"),
        option("--practice", action="store_true", help="label it a practice list"),
        option("--printable", action="store_true", help="lists of its words may be printed"),
    ),
    "judge": _verb(
        "lexicon.judge",
        "one verdict for a whole play; exit code 0 valid, 1 invalid, 3 not binding",
        option("lexicon", type=Path, metavar="LEX"),
        option("words", nargs="+", metavar="WORD"),
        option("--file", type=Path, metavar="FILE", help="note the challenge in this tournament, by its rules"),
        option("--table", type=int, metavar="T", help="of the newest round"),
        option("--challenger", type=int, choices=(1, 2), help="who challenges: 1 started"),
        option("--occasion", choices=("protest", "jury"), help="where the rules tell them apart"),
        option("--judge", default="", metavar="NAME"),
        DIVISION,
    ),
    "score": _verb(
        "jury.score",
        "judge a score sheet under a rule set",
        option("sheet", type=Path, metavar="SHEET"),
        RULES,
        option("--lexicon", type=Path, metavar="LEX", help="a word list edition to check the words with"),
    ),
    "gcg": _verb(
        "jury.gcg",
        "recompute an annotated game",
        option("file", type=Path, metavar="FILE.gcg"),
        option("--tiles", metavar="ID", help="a tile set; else the one that fits best"),
    ),
    "share": _verb(
        "network.share",
        "bring a tournament to an empty PostgreSQL database, for several stations",
        option("file", type=Path, metavar="FILE"),
        ADDRESS,
    ),
    "unshare": _verb(
        "network.unshare",
        "bring a shared tournament back into its file, and end the sharing",
        option("file", type=Path, metavar="FILE"),
        option("address", type=read_place, nargs="?", metavar="URL", help="else the one that the file notes"),
        option(
            "--leave-server", action="store_true", help="go on with FILE as it is: the server is gone for good"
        ),
    ),
    "admit": _verb(
        "network.admit",
        "let a station take part in a shared tournament; its password is shown once",
        ADDRESS,
        option("login", metavar="NAME"),
        option("role", choices=load_choices("tdapp.domain.roles", "Role")),
    ),
    "fetch": _verb(
        "network.fetch",
        "copy a shared tournament to a new file",
        ADDRESS,
        option("file", type=Path, metavar="FILE"),
    ),
    "repair": _verb(
        "network.repair",
        "bring a shared tournament that no longer opens back to its last sound step (its owner only), "
        "or save what can be read of a damaged file in a new one",
        option("address", type=read_place, metavar="URL|FILE"),
        option("copy", type=Path, nargs="?", metavar="COPY", help="a file of it: a station's copy, a snapshot"),
        option("-o", "--output", type=Path, metavar="NEW", help="the new file, for what can be read of FILE"),
    ),
    "serve": _verb(
        "network.serve",
        "show the tournament to phones and projectors on the network, until Ctrl+C",
        FILE,
        option("--port", type=int, default=8089, metavar="N", help="default 8089; 0: any that is free"),
        option("--host", metavar="ADDR", help="an address of this computer; default: one that others reach"),
        option("--entry", action="store_true", help="let players enter results with codes of their slips"),
        option("--check-in", action="store_true", help="let players check in by typing their name"),
        option(
            "--featured", type=int, default=0, metavar="TABLE", help="let a helper type the game of this table"
        ),
        option("--delay", type=int, default=0, metavar="MIN", help="minutes until that is public, 0 to 30"),
        option("--https", action="store_true", help="encrypt it, with a certificate that is made here"),
        option("--site", type=Path, metavar="FOLDER", help="write the pages there too, after each round"),
        THEN,
        READ_AT,
    ),
    "schema": _verb(
        "schemas.print_schema",
        "print the JSON Schema of what a verb prints with --json, of data.json or export.json; else name them",
        option("name", nargs="?", metavar="NAME"),
    ),
    "do": _verb(
        "do.do_verb",
        "run any command by its id",
        OPTIONAL_FILE,
        option("command", nargs="?", metavar="COMMAND"),
        option("words", nargs="*", metavar="key=value"),
        option("--list", action="store_true", help="name the commands with their arguments"),
    ),
    "completion": _verb(
        "completion.completion",
        'print what a shell reads to complete words: eval "$(tdapp completion bash)"',
        option("shell", choices=("bash", "zsh", "fish")),
    ),
    "man": _verb("completion.man", "print the page of the manual, for man"),
}
