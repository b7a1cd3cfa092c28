"""Declarations of the verbs and their options. The code of a verb is loaded on demand."""

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
    list_award_names,
    list_export_formats,
    make_choices_loader,
    make_option,
    parse_bounds,
    parse_day,
    parse_location,
    parse_page_url,
)

if TYPE_CHECKING:
    from tdapp.cli.program import Program


class Verb(NamedTuple):
    """A verb: the path of its function in this package (`module.function`), help text and options."""

    path: str
    help: str
    options: tuple[Option, ...]
    command: str = ""

    def load_function(self) -> Callable[[Program, Namespace], object]:
        """Return the function of the verb.

        It returns a document to print as JSON, or a document and the exit code.
        """
        module, _, function = self.path.partition(".")
        found: Callable[[Program, Namespace], object] = getattr(import_module(f"tdapp.cli.{module}"), function)
        return found


def _make_verb(path: str, purpose: str, *options: Option) -> Verb:
    return Verb(path, purpose, options)


def _make_command_verb(command: str, purpose: str, *options: Option) -> Verb:
    return Verb("do.run_command_verb", purpose, options, command)


VERBS: Mapping[str, Verb] = {
    "new": _make_verb(
        "pairing.create_tournament",
        "make an empty tournament",
        FILE,
        make_option("--name", required=True),
        RULES,
        make_option("--system", help="default: swiss, for evenings random"),
        make_option("--rounds", type=int, default=7),
        make_option("--evenings", action="store_true", help="a club: evenings, whose number of games is open"),
        make_option("--seed", type=int, default=1),
        make_option(
            "--times", default="", metavar="PLAN", help="when rounds begin, such as '10:00 +65, 4: 13:30'"
        ),
        make_option(
            "--check-first",
            action=BooleanOptionalAction,
            help="pair only on results that the jury has checked; default: as the rule set",
        ),
    ),
    "rulesets": _make_verb("read_verbs.show_rulesets", "list the rule sets"),
    "import": _make_verb(
        "files.import_file",
        "import players, results, divisions or a tournament",
        FILE,
        make_option("source", type=Path, metavar="SOURCE"),
        DIVISION,
        make_option("--sheet", metavar="NAME", help="of a spreadsheet; else the one that looks most like players"),
        make_option("--first-last", action="store_true", help="names are written “First name Last name”"),
        make_option("--update", action="store_true", help="players who are there take over what a list says"),
        make_option("--names", action="store_true", help="as --update, and their names too"),
        make_option("--namesakes", action="store_true", help="a name that is there already is another player's"),
        make_option("--keep-order", action="store_true", help="rank by the rules here, not as the file's program"),
        make_option("--ratings", action="store_true", help="only the ratings of players who are there"),
        make_option(
            "--encoding",
            choices=make_choices_loader("tdapp.exchange.text", "ENCODINGS"),
            help="of a text; else detected from its letters",
        ),
    ),
    "photos": _make_verb(
        "files.import_photos",
        "add the photos of a folder, named by number, member number or name of the player",
        FILE,
        make_option("folder", type=Path, metavar="FOLDER"),
        DIVISION,
    ),
    "export": _make_verb(
        "files.export_file",
        "export the tournament or a division",
        FILE,
        make_option("target", type=Path, metavar="TARGET"),
        make_option(
            "--format",
            choices=list_export_formats,
            help="csv: the standings; players: a list that import reads; rated: games for a rating list; "
            "txt, round-txt: for mail; tsh: a folder for tsh; wespa, naspa: for rating officers; trf: "
            "a report as of chess; rating-list, rating-games: of a season; html: a folder of pages for browsers",
        ),
        ROUND,
        make_option("--season", type=int, metavar="N", help="rating-list: the N-th season; default: the last one"),
        make_option("--on", type=parse_day, metavar="DAY", help="rating-list: on this day, as 2026-11-28"),
        make_option("--public", action="store_true", help="only what the public may see: for sharing"),
        THEN,
        READ_AT,
        DIVISION,
    ),
    "players": _make_verb("read_verbs.show_players", "list the players", FILE, DIVISION),
    "withdraw": _make_command_verb("withdraw-player", "let a player leave", *LEAVER),
    "return": _make_command_verb("return-player", "let a player who left play again", *LEAVER),
    "move": _make_verb(
        "verbs.move_player",
        "move players to another division; their games stay behind",
        FILE,
        make_option("numbers", type=int, nargs="+", metavar="NUMBER"),
        make_option("--to", required=True, metavar="D", help="the other division's code"),
        DIVISION,
    ),
    "merge-players": _make_command_verb(
        "merge-players",
        "make one player of two who are the same person",
        FILE,
        make_option("player", type=int, metavar="NUMBER", help="who stays"),
        make_option("other", type=int, metavar="OTHER", help="whose games, byes and sanctions the first gets"),
        DIVISION,
    ),
    "merge": _make_verb(
        "verbs.merge_divisions",
        "merge a division into another one, with its games",
        FILE,
        make_option("--division", required=True, metavar="D", help="the division that goes"),
        make_option("--into", required=True, metavar="D", help="the division that stays"),
    ),
    "pair": _make_verb(
        "pairing.pair_round",
        "pair and publish the next round",
        FILE,
        make_option("--assume", action="store_true", help="take games without a result as drawn"),
        DIVISION,
    ),
    "pairings": _make_verb("read_verbs.show_pairings", "show a round", FILE, ROUND, DIVISION),
    "result": _make_verb(
        "verbs.enter_result",
        "enter or correct a result",
        *GAME,
        make_option("score1", type=int, nargs="?"),
        make_option("score2", type=int, nargs="?"),
        make_option("more", type=int, nargs="*", metavar="score", help="of a third and fourth player"),
        make_option(
            "--left",
            type=int,
            action="append",
            default=[],
            metavar="N",
            help="the Nth player at a table of three or four gave up",
        ),
        make_option("--turns", type=int, metavar="N", help="of a player alone at a table"),
        make_option(
            "--break-up",
            type=int,
            nargs="+",
            default=[],
            metavar="POINTS",
            help="the points of the break-up game, which no table counts; alone: of the result that is there",
        ),
        make_option("--forfeit", choices=("1", "2", "both"), help="who lost by forfeit"),
        make_option(
            "--cause", choices=("late", "walk-over"), help="why it was forfeited, where margins differ by it"
        ),
        make_option("--first", choices=("1", "2"), help="who started, where the tiles decided"),
        make_option(
            "--overtime1", type=int, default=0, metavar="S", help="seconds beyond the first player's clock"
        ),
        make_option("--overtime2", type=int, default=0, metavar="S"),
        make_option("--rack1", metavar="TILES", help="left on the first player's rack; empty: is out"),
        make_option("--rack2", metavar="TILES"),
        make_option("--flag", choices=("1", "2"), help="whose clock ran out"),
        make_option("--confirmed", action="store_true", help="keep a rare or implausible score"),
        make_option(
            "--after-rulings", action="store_true", help="the scores have the jury's rulings on words already"
        ),
        make_option(
            "--verdicts",
            choices=("apply", "refuse"),
            help="of the judge screen: change the total, or it has them; alone: of the result that is there",
        ),
    ),
    "sheet": _make_verb(
        "jury.enter_sheets",
        "enter a game's score sheet, whose totals become the result, or a folder of sheets",
        FILE,
        ROUND,
        make_option("--table", type=int, metavar="T"),
        DIVISION,
        make_option(
            "sheet", type=Path, metavar="SHEET", help="GCG or JSON; in a folder 12.gcg, 12-2.json by table"
        ),
        make_option("--form", type=int, choices=(1, 2), default=1, help="which of two forms; 1 makes the result"),
        make_option("--anyway", action="store_true", help="also where it names others than who sits at the table"),
        make_option("--reason", default="", help="why a certified result is changed"),
        make_option("--author", default="", metavar="NAME"),
    ),
    "rule": _make_verb(
        "jury.rule_on_word",
        "rule that a word on a game's form is wrong; no sheet has to be typed",
        *GAME,
        make_option("--player", type=int, choices=(1, 2), required=True, help="the player of the word; 1 started"),
        make_option("--word", required=True, metavar="W"),
        make_option("--score", type=int, required=True, metavar="S", help="of the whole turn"),
        make_option("--wrong-words", type=int, default=1, metavar="K", help="of the turn"),
        make_option(
            "--another", action="store_true", help="in another turn than the one that is already ruled wrong"
        ),
        make_option(
            "--replace",
            type=int,
            nargs="?",
            const=-1,
            metavar="S",
            help="correct the ruling on the turn of S points; without S on the only one",
        ),
        make_option("--stands", action="store_true", help="it is a word after all, on appeal"),
        make_option(
            "--confirmed", action="store_true", help="also a turn worth more than the player's whole game"
        ),
        make_option("--why", default="", metavar="TEXT"),
        make_option("--author", default="", metavar="NAME"),
    ),
    "checked": _make_verb(
        "jury.mark_tables_checked",
        "mark results as checked by the jury",
        FILE,
        ROUND,
        make_option("--table", type=int, action="extend", nargs="+", metavar="T", help="only these"),
        make_option("--all", action="store_true", help="all without a doubt; the others are listed"),
        make_option("--anyway", action="store_true", help="the tables named also where something is in doubt"),
        make_option("--wordlist", type=Path, metavar="LEX", help="an edition, to look up the words of sheets"),
        make_option("--author", default="", metavar="NAME"),
        DIVISION,
    ),
    "sanction": _make_verb(
        "jury.penalise_player",
        "punish a player; without one list the sanctions",
        FILE,
        make_option("player", nargs="?", metavar="PLAYER", help="number, or a part of the name"),
        make_option("kind", nargs="?", choices=make_choices_loader("tdapp.scrabble.sheet", "SanctionKind")),
        ROUND,
        make_option("--points", type=int, default=0, metavar="P"),
        make_option("--why", metavar="TEXT"),
        make_option("--author", default="", metavar="NAME"),
        DIVISION,
    ),
    "results": _make_verb(
        "files.import_results",
        "enter many results, all or none",
        FILE,
        make_option(
            "source",
            type=Path,
            metavar="RESULTS.csv",
            help="columns round, table, score1, score2 (in the order of the table), first (1 or 2: the starter)",
        ),
        DIVISION,
    ),
    "evening": _make_verb(
        "evenings.change_or_show_evening",
        "begin or end a club evening, say who is here, or show it",
        FILE,
        make_option(
            "action", nargs="?", choices=("begin", "here", "gone", "end"), help="default: show the evening"
        ),
        make_option("who", nargs="*", metavar="MEMBER", help="here, gone: number, or a part of the name"),
        make_option("--date", type=parse_day, metavar="DAY", help="begin: as 2026-11-28; default: today"),
        make_option("--name", default="", help="begin: of the evening"),
        make_option("--system", help="begin: default: as on the last evening"),
        make_option("--last", action="store_true", help="here: all who came to the last evening"),
        make_option("--new", action="store_true", help="here: MEMBER is the name of a new member"),
        DIVISION,
    ),
    "season": _make_verb(
        "seasons.change_or_show_season",
        "show the table of a season; new, edit, remove: a season; earlier GRID: results from before the file; "
        "add, refresh FILE...: events of other files; drop N...: such events; same, different PLAYER PLAYER: one "
        "person or two; explain PLAYER: each evening; need PLAYER: results needed tonight; text: for messengers; "
        "rules: list the season rules",
        FILE,
        make_option(
            "action",
            nargs="?",
            choices=(
                "new",
                "edit",
                "remove",
                "earlier",
                "add",
                "refresh",
                "drop",
                "same",
                "different",
                "explain",
                "need",
                "text",
                "rules",
            ),
        ),
        make_option(
            "what",
            nargs="*",
            metavar="WHAT",
            help="earlier: a file, - is standard input; add, refresh: tournament files, also of other programs; "
            "drop: numbers of events; otherwise players",
        ),
        make_option("--season", type=int, metavar="N", help="the N-th season of the file; default: the last one"),
        make_option("--on", type=parse_day, metavar="DAY", help="the table on this day, as 2026-11-28"),
        make_option("--name", help="new, edit: of the season; add: of the event"),
        make_option("--date", type=parse_day, metavar="DAY", help="add, refresh: the day of the event"),
        make_option("--event", type=int, metavar="N", help="refresh: the N-th event by date"),
        make_option("--preview", action="store_true", help="add, refresh: only show what would move"),
        make_option(
            "--rules", metavar="ID", help="new, edit: season rules, or a TOML file; see season FILE rules"
        ),
        make_option("--since", type=parse_day, metavar="DAY", help="new, edit: the first day"),
        make_option("--until", type=parse_day, metavar="DAY", help="new, edit: the last day"),
        make_option("--all-divisions", action="store_true", help="new, edit: over all divisions"),
        make_option("--add", action="store_true", help="earlier: unknown names become new players"),
        DIVISION,
    ),
    "standings": _make_verb(
        "read_verbs.show_standings",
        "show the standings",
        *RANKED,
        make_option("--class", dest="category", metavar="X", help="of one class only"),
    ),
    "teams": _make_verb(
        "awards.show_teams",
        "show the standings of teams",
        *RANKED,
        make_option("--best", type=int, metavar="K", help="only the best K count"),
        make_option("--matches", action="store_true", help="list the matches of the teams instead"),
    ),
    "prizes": _make_verb("awards.show_prizes", "show the prizes with their winners", *RANKED),
    "news": _make_verb(
        "awards.set_or_show_news",
        "show what became a record in which round; a list (CSV: kind, value, name, date, list) is kept first",
        FILE,
        make_option("list", type=Path, nargs="?", metavar="LIST", help="records of a club or a country"),
        make_option("--without", action="store_true", help="keep no list any more"),
        DIVISION,
        AFTER,
    ),
    "ratings": _make_verb(
        "awards.show_ratings",
        "show performances and new ratings, or the rating list of a season",
        OPTIONAL_FILE,
        DIVISION,
        AFTER,
        make_option("--system", default="", metavar="ID", help="default: the division's"),
        make_option("--list", action="store_true", help="name the rating systems"),
        make_option(
            "--season",
            type=int,
            nargs="?",
            const=0,
            metavar="N",
            help="the rating list of the N-th season; default: the last one",
        ),
        make_option("--on", type=parse_day, metavar="DAY", help="--season: the list on this day, as 2026-11-28"),
        make_option(
            "--games",
            nargs="?",
            const="",
            metavar="PLAYER",
            help="--season: each game's share of the change, of one player or of all",
        ),
    ),
    "chances": _make_verb(
        "awards.show_chances",
        "show everybody's chances of places and prizes; with --json each place's share, from the first",
        FILE,
        DIVISION,
    ),
    "rehearse": _make_verb(
        "awards.simulate_plans",
        "play the planned day many times over, and another plan beside it; changes nothing",
        FILE,
        DIVISION,
        make_option("--system", metavar="S", help="another pairing system in the first stage"),
        make_option("--rounds", type=int, metavar="R", help="as many rounds in the first stage"),
        make_option("--cut", type=int, metavar="K", help="then a knockout of the best K; 0: nothing after it"),
        make_option("--times", type=int, metavar="N", help="plays; default: 300, fewer of a large field"),
    ),
    "stages": _make_verb("read_verbs.show_stages", "show a division's schedule: its stages", FILE, DIVISION),
    "bye": _make_verb(
        "awards.set_award",
        "set what a bye or a win by forfeit adds to a player's points total; without a player list them",
        FILE,
        make_option("number", type=int, nargs="?", metavar="PLAYER"),
        ROUND,
        make_option("--by", choices=list_award_names, help="an average, or what the rule set says"),
        make_option("--points", type=int, metavar="P", help="a fixed number"),
        DIVISION,
    ),
    "times": _make_verb(
        "verbs.set_or_show_times",
        "say when the rounds begin, or plan it",
        FILE,
        make_option(
            "plan", nargs="?", metavar="PLAN", help="such as '10:00 +65, 4: 13:30, 8: 2/10:00'; '': no times"
        ),
        DIVISION,
    ),
    "what-if": _make_verb(
        "pairing.preview_pairing_changes",
        "say what would change if two players met, or one had the bye",
        FILE,
        make_option("player", type=int, metavar="PLAYER"),
        make_option("other", type=int, nargs="?", metavar="OTHER"),
        DIVISION,
    ),
    "balance": _make_verb(
        "read_verbs.show_balance", "show who has started, met again and waited how often", *RANKED
    ),
    "bracket": _make_verb("read_verbs.show_bracket", "show a knockout's bracket", FILE, DIVISION),
    "print": _make_verb(
        "printing.print_report",
        "write a report as PDF",
        OPTIONAL_FILE,
        make_option("report", nargs="?", metavar="REPORT"),
        make_option("-o", "--output", type=Path, metavar="OUT.pdf"),
        ROUND,
        DIVISION,
        make_option("--class", dest="category", default="", metavar="X", help="standings of one class"),
        make_option("--best", type=int, metavar="K", help="teams: only the best K of each count"),
        make_option("--paper", choices=make_choices_loader("tdapp.reports", "PAPERS"), default="a4"),
        make_option("--columns", type=int, choices=(1, 2), help="of rows; default: as the report has them"),
        make_option(
            "--set",
            choices=make_choices_loader("tdapp.domain.paper", "Moment"),
            help="all papers of a moment, as chosen in the window",
        ),
        make_option("--wordlist", type=Path, metavar="LEX", help="an edition, for the reports about words"),
        make_option("--room", type=parse_page_url, metavar="URL", help="what `serve` shows: slips to scan"),
        make_option(
            "--not-noted",
            dest="noted",
            action="store_false",
            help="do not note in the tournament that it was printed",
        ),
        make_option("--many", action="store_true", help="also more than 300 pages"),
        make_option("--list", action="store_true", help="name the reports"),
    ),
    "check": _make_verb("pairing.check_tournament", "check the file and name open problems", FILE),
    "verify": _make_verb(
        "read_verbs.verify_printouts",
        "say whether the file continues from its printouts; exit code 2 where it does not",
        FILE,
        make_option(
            "--head",
            action="append",
            default=[],
            metavar="H",
            help="as printed at the foot of a page, with its step or without; may be repeated",
        ),
    ),
    "history": _make_verb("read_verbs.show_history", "show every step", FILE),
    "undo": _make_verb("verbs.undo_step", "undo the latest step", FILE),
    "redo": _make_verb("verbs.redo_step", "do again what was undone last", FILE),
    "erase": _make_verb(
        "verbs.erase_personal_data",
        "erase personal data for good; results stay",
        FILE,
        make_option("numbers", type=int, nargs="*", metavar="NUMBER"),
        make_option("--everybody", action="store_true", help="also who was entered and taken off the list"),
        make_option("--snapshots", action="store_true", help="delete those that hold the data"),
        DIVISION,
    ),
    "snapshot": _make_verb(
        "verbs.take_snapshot", "copy the tournament", FILE, make_option("target", type=Path, metavar="TARGET")
    ),
    "demo": _make_verb(
        "pairing.create_sample",
        "make a played sample tournament",
        FILE,
        make_option("--players", type=int, default=24),
        make_option("--rounds", type=int, default=7),
        make_option("--seed", type=int, default=1),
    ),
    "referee": _make_verb(
        "referee.make_or_check_events",
        "make FOLDER: events to try a pairing program on; check FILE...: what is wrong with the pairings, starts "
        "and ranks of an event, whoever paired it; exit code 0 nothing, 1 something, 2 not readable",
        make_option("what", choices=("make", "check")),
        make_option("paths", type=Path, nargs="+", metavar="PATH"),
        make_option(
            "--players", type=parse_bounds, default=(20, 300), metavar="20-300", help="make: between these numbers"
        ),
        make_option("--rounds", type=parse_bounds, default=(5, 15), metavar="5-15", help="make: likewise"),
        make_option("--played", type=int, metavar="N", help="make: only so many rounds are played"),
        make_option("--seed", type=int, default=1, help="make: the same seed gives the same events everywhere"),
        make_option("--events", type=int, default=10, metavar="K"),
        make_option("--format", choices=("json", "trf", "tsh", "tourney.js"), default="json"),
        make_option("--system", metavar="S", help="default: Swiss, within score groups first against last"),
        make_option(
            "--rules", default="wespa", metavar="ID", help="a rule set, see rulesets, where a file has none"
        ),
    ),
    "lexicon": _make_verb(
        "lexicon.manage_editions",
        "build LIST LEX: a word list edition; supplement LEX CHANGES LEX: with changes; compare LEX LEX; "
        "info LEX: about one; found: practice lists on this machine",
        make_option("what", choices=("build", "supplement", "compare", "info", "found")),
        make_option("paths", type=Path, nargs="*", metavar="FILE"),
        make_option("--language", metavar="L", help="nl, nb, nn, no, de, en ..."),
        make_option("--name", metavar="N", help="the edition's name; else the list's"),
        make_option("--date", type=parse_day, metavar="YYYY-MM-DD", help="the edition's date; else the list's"),
        make_option(
            "--binding-max-length", type=int, metavar="K", help="longer words are for the jury; 15: none are"
        ),
        make_option("--encoding", metavar="E", help="of the list; else told from its content"),
        make_option("--without-hyphens", action="store_true", help="no words with hyphen or apostrophe"),
        make_option("--without-names", action="store_true", help="no words with a capital letter"),
        make_option("--practice", action="store_true", help="label it a practice list"),
        make_option("--printable", action="store_true", help="lists of its words may be printed"),
    ),
    "judge": _make_verb(
        "lexicon.judge_play",
        "one verdict for a whole play; exit code 0 valid, 1 invalid, 3 not binding",
        make_option("lexicon", type=Path, metavar="LEX"),
        make_option("words", nargs="+", metavar="WORD"),
        make_option(
            "--file", type=Path, metavar="FILE", help="note the challenge in this tournament, by its rules"
        ),
        make_option("--table", type=int, metavar="T", help="of the newest round"),
        make_option("--challenger", type=int, choices=(1, 2), help="who challenges: 1 started"),
        make_option("--occasion", choices=("protest", "jury"), help="where the rules tell them apart"),
        make_option("--judge", default="", metavar="NAME"),
        DIVISION,
    ),
    "score": _make_verb(
        "jury.score_sheet",
        "judge a score sheet under a rule set",
        make_option("sheet", type=Path, metavar="SHEET"),
        RULES,
        make_option("--lexicon", type=Path, metavar="LEX", help="a word list edition to check the words with"),
    ),
    "gcg": _make_verb(
        "jury.score_annotated_game",
        "recompute an annotated game",
        make_option("file", type=Path, metavar="FILE.gcg"),
        make_option("--tiles", metavar="ID", help="a tile set; else the one that fits best"),
    ),
    "share": _make_verb(
        "network.share_tournament",
        "bring a tournament to an empty PostgreSQL database, for several stations",
        make_option("file", type=Path, metavar="FILE"),
        ADDRESS,
    ),
    "unshare": _make_verb(
        "network.end_sharing",
        "bring a shared tournament back into its file, and end the sharing",
        make_option("file", type=Path, metavar="FILE"),
        make_option(
            "address", type=parse_location, nargs="?", metavar="URL", help="else the one that the file notes"
        ),
        make_option(
            "--leave-server", action="store_true", help="go on with FILE as it is: the server is gone for good"
        ),
    ),
    "admit": _make_verb(
        "network.add_station",
        "let a station take part in a shared tournament; its password is shown once",
        ADDRESS,
        make_option("login", metavar="NAME"),
        make_option("role", choices=make_choices_loader("tdapp.domain.roles", "Role")),
    ),
    "fetch": _make_verb(
        "network.fetch_tournament",
        "copy a shared tournament to a new file",
        ADDRESS,
        make_option("file", type=Path, metavar="FILE"),
    ),
    "repair": _make_verb(
        "network.repair_tournament",
        "bring a shared tournament that no longer opens back to its last sound step (its owner only), "
        "or save what can be read of a damaged file in a new one",
        make_option("address", type=parse_location, metavar="URL|FILE"),
        make_option(
            "copy", type=Path, nargs="?", metavar="COPY", help="a file of it: a station's copy, a snapshot"
        ),
        make_option("-o", "--output", type=Path, metavar="NEW", help="the new file, for what can be read of FILE"),
    ),
    "serve": _make_verb(
        "network.serve_pages",
        "show the tournament to phones and projectors on the network, until Ctrl+C",
        FILE,
        make_option("--port", type=int, default=8089, metavar="N", help="default 8089; 0: any that is free"),
        make_option("--host", metavar="ADDR", help="an address of this computer; default: one that others reach"),
        make_option("--entry", action="store_true", help="let players enter results with codes of their slips"),
        make_option("--check-in", action="store_true", help="let players check in by typing their name"),
        make_option(
            "--featured", type=int, default=0, metavar="TABLE", help="let a helper type the game of this table"
        ),
        make_option(
            "--desks",
            action="store_true",
            help="let browsers be entry and jury desks; prints the PINs",
        ),
        make_option("--delay", type=int, default=0, metavar="MIN", help="minutes until that is public, 0 to 30"),
        make_option("--https", action="store_true", help="encrypt it, with a certificate that is made here"),
        make_option("--site", type=Path, metavar="FOLDER", help="write the pages there too, after each round"),
        THEN,
        READ_AT,
    ),
    "schema": _make_verb(
        "json_types.print_schema",
        "print the JSON Schema of what a verb prints with --json, of data.json or export.json; else name them",
        make_option("name", nargs="?", metavar="NAME"),
    ),
    "do": _make_verb(
        "do.run_do_verb",
        "run any command by its id",
        OPTIONAL_FILE,
        make_option("command", nargs="?", metavar="COMMAND"),
        make_option(
            "words",
            nargs="*",
            metavar="key=value",
            help="arguments, as --list names them; with several divisions add division=A",
        ),
        make_option("--list", action="store_true", help="name the commands with their arguments"),
    ),
    "completion": _make_verb(
        "completion.print_completion",
        'print what a shell reads to complete words: eval "$(tdapp completion bash)"',
        make_option("shell", choices=("bash", "zsh", "fish")),
    ),
    "man": _make_verb("completion.print_manual_page", "print the page of the manual, for man"),
}
