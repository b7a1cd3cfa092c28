"""Declarations of the verbs and their options. The code of a verb is loaded when it runs."""

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
    GAME_OPTIONS,
    OPTIONAL_FILE,
    PAGES_ADDRESS,
    PLAYER,
    ROUND,
    RULES,
    STANDINGS_OPTIONS,
    UPLOAD_COMMANDS,
    WITHDRAWAL_OPTIONS,
    Option,
    list_export_formats,
    list_point_award_methods,
    make_choices_loader,
    make_option,
    parse_iso_date,
    parse_number_range,
    parse_page_url,
    parse_path_or_address,
)

if TYPE_CHECKING:
    from tdapp.cli.program import Program


class Verb(NamedTuple):
    """A verb (subcommand) of the command line, such as `pair`."""

    path: str  # function of the verb in this package, as `module.function`
    help: str
    options: tuple[Option, ...]
    command: str = ""  # id of the only command that the verb runs, or ""

    def load_function(self) -> Callable[[Program, Namespace], object]:
        """Import the function of the verb.

        That function returns a document to print as JSON, or the document and the exit code.
        """
        module, _, function = self.path.partition(".")
        verb_module = import_module(f"tdapp.cli.{module}")
        verb_function: Callable[[Program, Namespace], object] = getattr(verb_module, function)
        return verb_function


def _make_verb(path: str, purpose: str, *options: Option) -> Verb:
    return Verb(path, purpose, options)


def _make_verb_running_command(command: str, purpose: str, *options: Option) -> Verb:
    return Verb("do.run_command_named_by_verb", purpose, options, command)


VERBS: Mapping[str, Verb] = {
    "new": _make_verb(
        "pairing.create_tournament",
        "create an empty tournament",
        FILE,
        make_option("--name", required=True),
        RULES,
        make_option("--system", help="pairing system; default: swiss, for evenings random"),
        make_option("--rounds", type=int, default=7),
        make_option(
            "--evenings",
            action="store_true",
            help="create a club with evenings, which have no fixed number of games",
        ),
        make_option("--seed", type=int, default=1),
        make_option(
            "--times", default="", metavar="PLAN", help="when rounds begin, such as '10:00 +65, 4: 13:30'"
        ),
        make_option(
            "--check-first",
            action=BooleanOptionalAction,
            help="pair only when the jury has checked all results; default: as in the rule set",
        ),
    ),
    "rulesets": _make_verb("read_verbs.show_rulesets", "list the rule sets"),
    "import": _make_verb(
        "files.import_file",
        "import players, results, divisions or a tournament",
        FILE,
        make_option("source", type=Path, metavar="SOURCE"),
        DIVISION,
        make_option(
            "--sheet",
            metavar="NAME",
            help="sheet of a spreadsheet; default: the sheet that looks most like a list of players",
        ),
        make_option("--first-last", action="store_true", help="names are written “First name Last name”"),
        make_option("--update", action="store_true", help="update existing players with the data of the list"),
        make_option("--names", action="store_true", help="like --update, and also update the names"),
        make_option("--namesakes", action="store_true", help="treat a name that exists already as another player"),
        make_option(
            "--keep-order",
            action="store_true",
            help="rank by the rules of the tournament, not by those of the program that wrote the file",
        ),
        make_option("--ratings", action="store_true", help="import only the ratings of existing players"),
        make_option(
            "--encoding",
            choices=make_choices_loader("tdapp.exchange.text", "ENCODINGS"),
            help="encoding of a text file; default: detected from its letters",
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
        make_option("--on", type=parse_iso_date, metavar="DAY", help="rating-list: on this day, as 2026-11-28"),
        make_option("--public", action="store_true", help="export public data only"),
        UPLOAD_COMMANDS,
        PAGES_ADDRESS,
        DIVISION,
    ),
    "players": _make_verb("read_verbs.show_players", "list the players", FILE, DIVISION),
    "withdraw": _make_verb_running_command("withdraw-player", "withdraw a player", *WITHDRAWAL_OPTIONS),
    "return": _make_verb_running_command("return-player", "let a withdrawn player return", *WITHDRAWAL_OPTIONS),
    "move": _make_verb(
        "verbs.move_players_to_division",
        "move players to another division, without their games",
        FILE,
        make_option("players", nargs="+", metavar="PLAYER", help="numbers or parts of the names"),
        make_option("--to", required=True, metavar="D", help="code of the other division"),
        DIVISION,
    ),
    "merge-players": _make_verb_running_command(
        "merge-players",
        "merge two players who are the same person",
        FILE,
        make_option("player", metavar="PLAYER", help="number or part of the name of the player who stays"),
        make_option(
            "other",
            metavar="OTHER",
            help="the player to remove; the first player gets the games, byes and sanctions",
        ),
        DIVISION,
    ),
    "merge": _make_verb(
        "verbs.merge_divisions",
        "merge a division with its games into another division",
        FILE,
        make_option("--division", required=True, metavar="D", help="code of the division to remove"),
        make_option("--into", required=True, metavar="D", help="code of the division that stays"),
    ),
    "pair": _make_verb(
        "pairing.pair_and_publish_round",
        "pair and publish the next round",
        FILE,
        make_option(
            "--assume", action="store_true", help="pair despite missing results: the games count as draws"
        ),
        DIVISION,
    ),
    "pairings": _make_verb("read_verbs.show_pairings", "show a round", FILE, ROUND, DIVISION),
    "result": _make_verb(
        "verbs.enter_result",
        "enter or correct a result",
        *GAME_OPTIONS,
        make_option("score1", type=int, nargs="?"),
        make_option("score2", type=int, nargs="?"),
        make_option("more", type=int, nargs="*", metavar="score", help="scores of a third and fourth player"),
        make_option(
            "--left",
            type=int,
            action="append",
            default=[],
            metavar="N",
            help="the Nth player at a table of three or four gave up",
        ),
        make_option("--turns", type=int, metavar="N", help="number of turns of a player alone at a table"),
        make_option(
            "--break-up",
            type=int,
            nargs="+",
            default=[],
            metavar="POINTS",
            help=(
                "points of the break-up game, which the standings do not count; without scores: for the "
                "existing result"
            ),
        ),
        make_option("--forfeit", choices=("1", "2", "both"), help="the player who lost by forfeit"),
        make_option(
            "--cause",
            choices=("late", "walk-over"),
            help="why the game was forfeited, if the rules set different margins",
        ),
        make_option("--first", choices=("1", "2"), help="the player who started, if the tiles decided"),
        make_option(
            "--overtime1", type=int, default=0, metavar="S", help="overtime of the first player in seconds"
        ),
        make_option(
            "--overtime2", type=int, default=0, metavar="S", help="overtime of the second player in seconds"
        ),
        make_option(
            "--rack1", metavar="TILES", help="tiles left on the first player's rack; empty: no tiles left"
        ),
        make_option(
            "--rack2", metavar="TILES", help="tiles left on the second player's rack; empty: no tiles left"
        ),
        make_option("--flag", choices=("1", "2"), help="the player whose time ran out"),
        make_option("--confirmed", action="store_true", help="keep a rare or implausible score"),
        make_option(
            "--after-rulings", action="store_true", help="the scores already include the jury's rulings on words"
        ),
        make_option(
            "--verdicts",
            choices=("apply", "refuse"),
            help=(
                "apply the verdicts from the judge screen, or refuse them because the total includes them; "
                "without scores: for the existing result"
            ),
        ),
    ),
    "sheet": _make_verb(
        "jury.enter_sheets",
        "enter a score sheet or a folder of sheets; the totals become the results",
        FILE,
        ROUND,
        make_option("--table", type=int, metavar="T"),
        DIVISION,
        make_option(
            "sheet",
            type=Path,
            metavar="SHEET",
            help="GCG or JSON file, or a folder with files named by table: 12.gcg, 12-2.json",
        ),
        make_option(
            "--form", type=int, choices=(1, 2), default=1, help="which of the two forms; form 1 sets the result"
        ),
        make_option("--anyway", action="store_true", help="enter the sheet even if it names other players"),
        make_option("--reason", default="", help="reason for changing a certified result"),
        make_option("--author", default="", metavar="NAME", help="name of the author, for the history"),
    ),
    "rule": _make_verb(
        "jury.rule_on_word",
        "rule that a word on a score sheet form is invalid, without typing the sheet",
        *GAME_OPTIONS,
        make_option(
            "--player",
            type=int,
            choices=(1, 2),
            required=True,
            help="the player of the word; 1 is the player who started",
        ),
        make_option("--word", required=True, metavar="W", help="the invalid word"),
        make_option("--score", type=int, required=True, metavar="S", help="score of the whole turn"),
        make_option("--wrong-words", type=int, default=1, metavar="K", help="number of invalid words in the turn"),
        make_option("--another", action="store_true", help="the word is invalid in another turn too"),
        make_option(
            "--replace",
            type=int,
            nargs="?",
            const=-1,
            metavar="S",
            help="correct the ruling on the turn of S points; without S: the only ruling",
        ),
        make_option("--stands", action="store_true", help="rule on appeal that the word is valid"),
        make_option("--confirmed", action="store_true", help="accept a turn score higher than the player's total"),
        make_option("--why", default="", metavar="TEXT", help="reason of the ruling"),
        make_option("--author", default="", metavar="NAME", help="name of the author, for the history"),
    ),
    "checked": _make_verb(
        "jury.mark_results_checked",
        "mark results as checked by the jury",
        FILE,
        ROUND,
        make_option("--table", type=int, action="extend", nargs="+", metavar="T", help="check only these tables"),
        make_option("--all", action="store_true", help="check all tables not in doubt and list the others"),
        make_option("--anyway", action="store_true", help="check the named tables even if something is in doubt"),
        make_option(
            "--wordlist", type=Path, metavar="LEX", help="word list edition for looking up the words of sheets"
        ),
        make_option("--author", default="", metavar="NAME", help="name of the author, for the history"),
        DIVISION,
    ),
    "sanction": _make_verb(
        "jury.penalise_player",
        "give a player a sanction; without a player, list the sanctions",
        FILE,
        make_option("player", nargs="?", metavar="PLAYER", help="number or part of the name"),
        make_option("kind", nargs="?", choices=make_choices_loader("tdapp.scrabble.sheet", "SanctionKind")),
        ROUND,
        make_option("--points", type=int, default=0, metavar="P", help="points of the sanction"),
        make_option("--why", metavar="TEXT", help="reason of the sanction"),
        make_option("--author", default="", metavar="NAME", help="name of the author, for the history"),
        DIVISION,
    ),
    "results": _make_verb(
        "files.import_results",
        "enter the results of a file; after an error, enter none",
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
        "begin, end or show a club evening, or check members in",
        FILE,
        make_option(
            "action", nargs="?", choices=("begin", "here", "gone", "end"), help="default: show the evening"
        ),
        make_option("who", nargs="*", metavar="MEMBER", help="here, gone: number or part of the name"),
        make_option(
            "--date",
            type=parse_iso_date,
            metavar="DAY",
            help="begin: the date, such as 2026-11-28; default: today",
        ),
        make_option("--name", default="", help="begin: name of the evening"),
        make_option("--system", help="begin: pairing system; default: as on the last evening"),
        make_option("--last", action="store_true", help="here: check in all members of the last evening"),
        make_option("--new", action="store_true", help="here: MEMBER is the name of a new member"),
        DIVISION,
    ),
    "season": _make_verb(
        "seasons.change_or_show_season",
        (
            "show the table of a season; new, edit, remove: change the seasons; earlier GRID: import results "
            "from before the file; add, refresh FILE...: add or update events from other files; events: list "
            "them; drop N...: remove some; same, different PLAYER PLAYER: say whether two players are one "
            "person; explain PLAYER: explain each evening; need PLAYER: show the results needed tonight; text: "
            "print the table as a chat message; rules: list the season rules; rules FILE.toml: write the rules of "
            "the season to a file"
        ),
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
                "events",
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
            help=(
                "earlier: a file, or - for standard input; add, refresh: tournament files, also of other "
                "programs; drop: numbers of events; otherwise players"
            ),
        ),
        make_option("--season", type=int, metavar="N", help="the N-th season of the file; default: the last one"),
        make_option(
            "--on", type=parse_iso_date, metavar="DAY", help="show the table on this day, such as 2026-11-28"
        ),
        make_option("--name", help="new, edit: name of the season; add: name of the event"),
        make_option("--date", type=parse_iso_date, metavar="DAY", help="add, refresh: the day of the event"),
        make_option("--event", type=int, metavar="N", help="refresh: the N-th event by date"),
        make_option("--preview", action="store_true", help="add, refresh: only show the changes"),
        make_option(
            "--rules",
            metavar="ID",
            help="new, edit: id of season rules, or a TOML file; “season FILE rules” lists them",
        ),
        make_option("--since", type=parse_iso_date, metavar="DAY", help="new, edit: the first day"),
        make_option("--until", type=parse_iso_date, metavar="DAY", help="new, edit: the last day"),
        make_option("--all-divisions", action="store_true", help="new, edit: include all divisions"),
        make_option("--add", action="store_true", help="earlier: unknown names become new players"),
        DIVISION,
    ),
    "standings": _make_verb(
        "read_verbs.show_standings",
        "show the standings",
        *STANDINGS_OPTIONS,
        make_option("--class", dest="category", metavar="X", help="show only players of this category"),
    ),
    "teams": _make_verb(
        "awards.show_teams",
        "show the standings of teams",
        *STANDINGS_OPTIONS,
        make_option("--best", type=int, metavar="K", help="count only the best K players of each team"),
        make_option("--matches", action="store_true", help="list the matches of the teams"),
    ),
    "prizes": _make_verb("awards.show_prizes", "show the prizes with their winners", *STANDINGS_OPTIONS),
    "news": _make_verb(
        "awards.import_records_and_show_news",
        "show the records of each round; with a list (CSV: kind, value, name, date, list), store the list first",
        FILE,
        make_option(
            "list", type=Path, nargs="?", metavar="LIST", help="file with the records of a club or country"
        ),
        make_option("--without", action="store_true", help="remove the stored list"),
        DIVISION,
        AFTER,
    ),
    "ratings": _make_verb(
        "awards.show_ratings",
        "show performances and new ratings, or the rating list of a season",
        OPTIONAL_FILE,
        DIVISION,
        AFTER,
        make_option(
            "--system", default="", metavar="ID", help="id of the rating system; default: that of the division"
        ),
        make_option("--list", action="store_true", help="list the rating systems"),
        make_option(
            "--season",
            type=int,
            nargs="?",
            const=0,
            metavar="N",
            help="the rating list of the N-th season; default: the last one",
        ),
        make_option(
            "--on", type=parse_iso_date, metavar="DAY", help="--season: the list on this day, as 2026-11-28"
        ),
        make_option(
            "--games",
            nargs="?",
            const="",
            metavar="PLAYER",
            help="--season: each game's share of the change, of one player or of all",
        ),
    ),
    "chances": _make_verb(
        "awards.show_rank_chances",
        "show each player's chances of final ranks and prizes; --json gives the chance of each rank",
        FILE,
        DIVISION,
    ),
    "rehearse": _make_verb(
        "awards.show_simulated_schedules",
        "simulate the planned day many times and compare another plan; the file does not change",
        FILE,
        DIVISION,
        make_option("--system", metavar="S", help="other plan: pairing system of the first stage"),
        make_option("--rounds", type=int, metavar="R", help="other plan: number of rounds in the first stage"),
        make_option(
            "--cut",
            type=int,
            metavar="K",
            help="other plan: then a knockout of the best K players; 0: no knockout",
        ),
        make_option(
            "--times", type=int, metavar="N", help="number of simulations; default: 300, fewer for many players"
        ),
    ),
    "stages": _make_verb("read_verbs.show_stages", "show the stages of a division", FILE, DIVISION),
    "bye": _make_verb(
        "awards.set_or_show_awarded_points",
        "set the points that a bye or a win by forfeit adds to a player's total; without a player, list them",
        FILE,
        make_option("player", nargs="?", metavar="PLAYER", help="number or part of the name"),
        ROUND,
        make_option("--by", choices=list_point_award_methods, help="an average, or the value of the rule set"),
        make_option("--points", type=int, metavar="P", help="a fixed number of points"),
        DIVISION,
    ),
    "times": _make_verb(
        "verbs.set_or_show_round_times",
        "show or set the times of the rounds",
        FILE,
        make_option(
            "plan",
            nargs="?",
            metavar="PLAN",
            help="times such as '10:00 +65, 4: 13:30, 8: 2/10:00'; '' removes the times",
        ),
        DIVISION,
    ),
    "what-if": _make_verb(
        "pairing.preview_pairing_changes",
        "show what changes if two players meet, or if one player has the bye",
        FILE,
        PLAYER,
        make_option("other", nargs="?", metavar="OTHER", help="the other player"),
        DIVISION,
    ),
    "balance": _make_verb(
        "read_verbs.show_starts_and_byes",
        "show how often each player has started, met an earlier opponent and had a bye",
        *STANDINGS_OPTIONS,
    ),
    "bracket": _make_verb("read_verbs.show_bracket", "show the bracket of a knockout", FILE, DIVISION),
    "print": _make_verb(
        "printing.print_report",
        "write a report as PDF",
        OPTIONAL_FILE,
        make_option("report", nargs="?", metavar="REPORT"),
        make_option("-o", "--output", type=Path, metavar="OUT.pdf"),
        ROUND,
        DIVISION,
        make_option(
            "--class",
            dest="category",
            default="",
            metavar="X",
            help="standings of one category; or a season’s name",
        ),
        make_option("--best", type=int, metavar="K", help="teams: count only the best K players of each team"),
        make_option("--on", type=parse_iso_date, metavar="DAY", help="reports of a season: on this day"),
        make_option("--paper", choices=make_choices_loader("tdapp.reports", "PAPERS"), default="a4"),
        make_option(
            "--columns", type=int, choices=(1, 2), help="columns of rows on a page; default: as in the report"
        ),
        make_option(
            "--set",
            choices=make_choices_loader("tdapp.domain.paper", "PrintingMoment"),
            help="print a set of reports, as chosen in the window",
        ),
        make_option("--wordlist", type=Path, metavar="LEX", help="word list edition for reports about words"),
        make_option(
            "--room",
            type=parse_page_url,
            metavar="URL",
            help="address that `serve` shows, for result slips that phones can scan",
        ),
        make_option(
            "--not-noted",
            dest="noted",
            action="store_false",
            help="do not record the printout in the tournament",
        ),
        make_option("--many", action="store_true", help="allow more than 300 pages"),
        make_option("--list", action="store_true", help="list the reports"),
    ),
    "check": _make_verb("pairing.check_tournament", "check the file and list open problems", FILE),
    "verify": _make_verb(
        "read_verbs.verify_printouts",
        "compare the file with the check codes of printouts; exit code 2 if they do not agree",
        FILE,
        make_option(
            "--head",
            action="append",
            default=[],
            metavar="H",
            help="check code at the foot of a page, with or without its step number; may be repeated",
        ),
    ),
    "history": _make_verb("read_verbs.show_history", "show every step", FILE),
    "undo": _make_verb("verbs.undo_step", "undo the latest step", FILE),
    "redo": _make_verb("verbs.redo_step", "redo the step undone last", FILE),
    "erase": _make_verb(
        "verbs.erase_personal_data",
        "erase personal data for good; results stay",
        FILE,
        make_option("players", nargs="*", metavar="PLAYER", help="numbers or parts of the names"),
        make_option("--everybody", action="store_true", help="all players, including removed ones"),
        make_option("--snapshots", action="store_true", help="delete snapshots that contain the data"),
        DIVISION,
    ),
    "snapshot": _make_verb(
        "verbs.take_snapshot",
        "copy the tournament to a new file",
        FILE,
        make_option("target", type=Path, metavar="TARGET"),
    ),
    "demo": _make_verb(
        "pairing.create_sample_tournament",
        "create a sample tournament with results",
        FILE,
        make_option("--players", type=int, default=24),
        make_option("--rounds", type=int, default=7),
        make_option("--seed", type=int, default=1),
    ),
    "referee": _make_verb(
        "referee.make_or_check_events",
        (
            "make FOLDER: create events for testing a pairing program; check FILE...: report problems in the "
            "pairings, starts and ranks of events from any program; exit code 0: no problems, 1: problems, 2: a "
            "file is not readable"
        ),
        make_option("what", choices=("make", "check")),
        make_option("paths", type=Path, nargs="+", metavar="PATH"),
        make_option(
            "--players",
            type=parse_number_range,
            default=(20, 300),
            metavar="20-300",
            help="make: number of players, between these limits",
        ),
        make_option(
            "--rounds",
            type=parse_number_range,
            default=(5, 15),
            metavar="5-15",
            help="make: number of rounds, between these limits",
        ),
        make_option("--played", type=int, metavar="N", help="make: number of played rounds"),
        make_option("--seed", type=int, default=1, help="make: the same seed gives the same events everywhere"),
        make_option("--events", type=int, default=10, metavar="K", help="make: number of events"),
        make_option("--format", choices=("json", "trf", "tsh", "tourney.js"), default="json"),
        make_option(
            "--system",
            metavar="S",
            help="pairing system; default: Swiss, first against last within score groups",
        ),
        make_option(
            "--rules",
            default="wespa",
            metavar="ID",
            help="id of a rule set for files without one; “tdapp rulesets” lists them",
        ),
    ),
    "lexicon": _make_verb(
        "lexicon.run_lexicon_action",
        (
            "build LIST LEX: make a word list edition; supplement LEX CHANGES LEX: make an edition with changes; "
            "compare LEX LEX: show the differences; info LEX: describe an edition; found: list the practice lists "
            "on this computer"
        ),
        make_option("what", choices=("build", "supplement", "compare", "info", "found")),
        make_option("paths", type=Path, nargs="*", metavar="FILE"),
        make_option("--language", metavar="L", help="language code: nl, nb, nn, no, de, en ..."),
        make_option("--name", metavar="N", help="name of the edition; default: the name of the list"),
        make_option(
            "--date",
            type=parse_iso_date,
            metavar="YYYY-MM-DD",
            help="date of the edition; default: the date of the list",
        ),
        make_option(
            "--binding-max-length",
            type=int,
            metavar="K",
            help="the jury decides on longer words; 15: the list decides on all words",
        ),
        make_option("--encoding", metavar="E", help="encoding of the list; default: detected from its content"),
        make_option(
            "--without-hyphens", action="store_true", help="leave out words with a hyphen or an apostrophe"
        ),
        make_option("--without-names", action="store_true", help="leave out words with a capital letter"),
        make_option("--practice", action="store_true", help="mark the edition as a practice list"),
        make_option("--printable", action="store_true", help="allow printed lists of its words"),
    ),
    "judge": _make_verb(
        "lexicon.judge_play",
        "give one verdict for a whole play; exit code 0: valid, 1: invalid, 3: not binding",
        make_option("lexicon", type=Path, metavar="LEX"),
        make_option("words", nargs="+", metavar="WORD"),
        make_option(
            "--file", type=Path, metavar="FILE", help="record the challenge in this tournament and use its rules"
        ),
        make_option("--table", type=int, metavar="T", help="table number in the newest round"),
        make_option(
            "--challenger",
            type=int,
            choices=(1, 2),
            help="the player who challenges; 1 is the player who started",
        ),
        make_option(
            "--occasion",
            choices=("protest", "jury"),
            help="reason for the check, if the rules distinguish the two",
        ),
        make_option("--judge", default="", metavar="NAME", help="name of the judge"),
        DIVISION,
    ),
    "score": _make_verb(
        "jury.show_sheet_scores",
        "judge a score sheet under a rule set",
        make_option("sheet", type=Path, metavar="SHEET"),
        RULES,
        make_option("--lexicon", type=Path, metavar="LEX", help="word list edition for checking the words"),
    ),
    "gcg": _make_verb(
        "jury.show_annotated_game_scores",
        "compute the scores of an annotated game again",
        make_option("file", type=Path, metavar="FILE.gcg"),
        make_option("--tiles", metavar="ID", help="id of a tile set; default: the best fit"),
    ),
    "share": _make_verb(
        "network.share_tournament",
        "share a tournament with several stations: move it to an empty PostgreSQL database",
        make_option("file", type=Path, metavar="FILE"),
        ADDRESS,
    ),
    "unshare": _make_verb(
        "network.end_sharing",
        "stop sharing a tournament and copy it back into its file",
        make_option("file", type=Path, metavar="FILE"),
        make_option(
            "address",
            type=parse_path_or_address,
            nargs="?",
            metavar="URL",
            help="address of the shared tournament; default: the address in the file",
        ),
        make_option(
            "--leave-server",
            action="store_true",
            help="continue with FILE as it is, because the server is lost for good",
        ),
    ),
    "admit": _make_verb(
        "network.grant_server_access",
        "add a station to a shared tournament; its password is shown once",
        ADDRESS,
        make_option("login", metavar="NAME"),
        make_option("role", choices=make_choices_loader("tdapp.domain.roles", "Role")),
    ),
    "fetch": _make_verb(
        "network.copy_shared_tournament_to_file",
        "copy a shared tournament to a new file",
        ADDRESS,
        make_option("file", type=Path, metavar="FILE"),
    ),
    "repair": _make_verb(
        "network.repair_tournament",
        (
            "restore a shared tournament to its last sound step (owner only), or save the readable part of a "
            "damaged file as a new file"
        ),
        make_option("address", type=parse_path_or_address, metavar="URL|FILE"),
        make_option(
            "copy",
            type=Path,
            nargs="?",
            metavar="COPY",
            help="a copy of the tournament: a file from a station, or a snapshot",
        ),
        make_option("-o", "--output", type=Path, metavar="NEW", help="new file for the readable part of FILE"),
    ),
    "serve": _make_verb(
        "network.serve_pages",
        "show the tournament to phones and projectors on the network, until Ctrl+C",
        FILE,
        make_option(
            "--port", type=int, default=8089, metavar="N", help="port number; default: 8089; 0: any free port"
        ),
        make_option(
            "--host",
            metavar="ADDR",
            help="address of this computer; default: an address that other computers can reach",
        ),
        make_option(
            "--entry", action="store_true", help="let players enter results with the codes on their slips"
        ),
        make_option("--check-in", action="store_true", help="let players check in by typing their name"),
        make_option(
            "--featured", type=int, default=0, metavar="TABLE", help="let a helper type the game of this table"
        ),
        make_option(
            "--desks",
            action="store_true",
            help="let browsers be entry and jury desks; prints the PINs",
        ),
        make_option(
            "--delay",
            type=int,
            default=0,
            metavar="MIN",
            help="delay of the featured game for the public in minutes, 0 to 30",
        ),
        make_option(
            "--https",
            action="store_true",
            help="encrypt the connection with a certificate made on this computer",
        ),
        make_option(
            "--site", type=Path, metavar="FOLDER", help="also write the pages to this folder after each round"
        ),
        UPLOAD_COMMANDS,
        PAGES_ADDRESS,
    ),
    "schema": _make_verb(
        "json_types.print_schema",
        (
            "print the JSON Schema of a verb's --json output, of data.json or of export.json; without a name, "
            "list the schemas"
        ),
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
            help="arguments of the command, see --list; with several divisions add division=A",
        ),
        make_option("--list", action="store_true", help="list the commands with their arguments"),
    ),
    "completion": _make_verb(
        "completion.print_completion_script",
        'print a completion script for a shell: eval "$(tdapp completion bash)"',
        make_option("shell", choices=("bash", "zsh", "fish")),
    ),
    "man": _make_verb("completion.print_manual_page", "print the manual page for man"),
}
