"""What each verb does: reads its options, calls the Desk, prints."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from tdapp.cli import output
from tdapp.cli.output import picked, show_json, show_table, step_json
from tdapp.cli.printing import stale
from tdapp.cli.program import Program, chosen_divisions, division_after, game_at, player_numbered, round_at
from tdapp.desk import Desk
from tdapp.domain import commands
from tdapp.domain.commands.rule import within
from tdapp.domain.errors import RuleViolation
from tdapp.domain.index import Index
from tdapp.domain.journal import Step
from tdapp.domain.mark import N_
from tdapp.domain.model import DivisionId, Forfeit, Round, RoundState
from tdapp.domain.problems import problems
from tdapp.domain.tables import players as player_tables
from tdapp.domain.tables import rounds as round_tables
from tdapp.domain.tables import schedule, statistics
from tdapp.domain.tables import standings as standings_tables
from tdapp.domain.tables.bracket import knockout_of
from tdapp.domain.tables.history import history as history_table
from tdapp.domain.tables.standings import class_named, class_table
from tdapp.domain.tournament import Tournament
from tdapp.domain.transfer import transfer_follows
from tdapp.i18n.phrases import standings_title, times_table
from tdapp.i18n.verification_sentences import verification_lines
from tdapp.pairing import SYSTEMS, locked, propose, unfinished
from tdapp.pairing.hindsight import repaired
from tdapp.reports.rankings import unchecked
from tdapp.services.demo import play
from tdapp.services.unreached import snapshots_of, unreached


def new(program: Program, options: Namespace) -> object:
    """Make an empty tournament with one division."""
    if options.system not in SYSTEMS:
        raise RuleViolation("unknown-system", system=options.system, known=", ".join(SYSTEMS))
    key = options.file.stem
    tournament = commands.new_tournament(
        key=key, name=options.name, ruleset=program.preset(options.rules), seed=options.seed
    )
    division = DivisionId(f"{key}.d")
    tournament = commands.add_division(tournament, key=division, code="A")
    tournament = commands.add_stage(
        tournament, key=f"{key}.s", division=division, system=options.system, rounds=options.rounds
    )
    tournament = commands.set_times(tournament, division=division, times=options.times)
    tournament = commands.set_check_first(tournament, check_first=options.check_first)
    Desk.create(options.file, tournament).close()
    return {"file": str(options.file), "name": options.name, "rules": options.rules}


def rulesets(program: Program, options: Namespace) -> object:
    """List the presets."""
    presets = program.presets.values()
    if not options.json:
        for preset in presets:
            print(f"{preset.id:18} {preset.name} ({preset.language}, {preset.tileset})")
    return [picked(preset, "id", "name", "language", "tileset") for preset in presets]


def players(program: Program, options: Namespace) -> object:
    """List the players of one division, or of all."""
    with program.desk(options.file, read_only=True) as desk:
        index = desk.index
        chosen = chosen_divisions(index, options)
        if not options.json:
            for division in chosen:
                print(program.catalogue.text("Division {division}", division=division.code))
                show_table(player_tables.players(index, division), program.catalogue)
        return output.players_json(index, chosen)


def withdraw(program: Program, options: Namespace) -> object:
    """Let a player leave."""
    with program.desk(options.file) as desk:
        player, first = player_numbered(desk.index, options, options.number), options.from_round
        command = partial(commands.withdraw_player, key=desk.key(), player=player.id, from_round=first)
        desk.do("withdraw-player", command)
        return step_json(desk, program.catalogue)


def return_player(program: Program, options: Namespace) -> object:
    """Let a player who had left play again."""
    with program.desk(options.file) as desk:
        player = player_numbered(desk.index, options, options.number)
        desk.do("return-player", partial(commands.return_player, player=player.id, from_round=options.from_round))
        return step_json(desk, program.catalogue)


def move(program: Program, options: Namespace) -> object:
    """Move players to another division."""
    with program.desk(options.file) as desk:
        players = tuple(player_numbered(desk.index, options, number).id for number in options.numbers)
        target = desk.index.division(options.to).id
        command = partial(commands.move_players, key=desk.key(), players=players, division=target)
        return _transfer(program, options, desk, "move-players", command)


def merge(program: Program, options: Namespace) -> object:
    """Merge a division into another one."""
    with program.desk(options.file) as desk:
        division, into = (desk.index.division(code).id for code in (options.division, options.into))
        command = partial(commands.merge_division, division=division, into=into)
        return _transfer(program, options, desk, "merge-division", command)


def _transfer(
    program: Program, options: Namespace, desk: Desk, label: str, command: Callable[[Tournament], Tournament]
) -> object:
    """Run a command that changes who plays where, and say what follows."""
    before = desk.tournament
    desk.do(label, command)
    follows = [program.catalogue.follow(one.code, one.facts) for one in transfer_follows(before, desk.tournament)]
    if not options.json:
        print(*follows, sep="\n")
    return {**step_json(desk, program.catalogue), "follows": follows}


def pair(program: Program, options: Namespace) -> object:
    """Pair and publish the next round, around the locked tables of its draft; missing results may be assumed."""
    with program.desk(options.file) as desk:
        division = desk.index.division(options.division)
        assumed = unfinished(desk.index, division.id) if options.assume else ()
        proposal = propose(desk.index, division.id, fixed=locked(desk.index, division.id), assumed=assumed)
        desk.do("pair-round", partial(commands.pair_round, key=desk.key(), proposal=proposal))
        return _round(program, options, desk.index, desk.index.published(division.id)[-1])


def pairings(program: Program, options: Namespace) -> object:
    """Show a round."""
    with program.desk(options.file, read_only=True) as desk:
        index = desk.index
        return _round(program, options, index, round_at(index, options))


def _round(program: Program, options: Namespace, index: Index, item: Round) -> object:
    if options.json:
        return output.round_json(index, index.division_of(item.id), item, program.catalogue)
    show_table(round_tables.pairings(index, item), program.catalogue)
    byes = round_tables.byes(index, item)
    if byes.rows:
        print()
        show_table(byes, program.catalogue)
    if item.state is RoundState.DRAFT:
        print(program.catalogue.text("This round is a draft: it is not published yet."))
    return None


def result(program: Program, options: Namespace) -> object:
    """Enter or correct one result."""
    with program.desk(options.file) as desk:
        index = desk.index
        game = game_at(index, options)
        command = partial(
            commands.enter_result,
            game=game.id,
            first=options.score1,
            second=options.score2,
            forfeit=Forfeit(options.forfeit) if options.forfeit else None,
            started=Forfeit(options.first) if options.first else None,
            overtime1=options.overtime1,
            overtime2=options.overtime2,
            rack1=options.rack1,
            rack2=options.rack2,
            flag=Forfeit(options.flag) if options.flag else None,
            tileset=program.tileset(index.tournament.ruleset.tileset),
            confirmed=options.confirmed,
        )
        old = index.result(game.id)
        desk.do("enter-result", command)
        if old is not None and not options.json:
            had = program.catalogue.code(old.forfeit) if old.forfeit else f"{old.first} – {old.second}"
            print(program.catalogue.text("Table {table} had {score}: replaced.", table=game.table, score=had))
        return step_json(desk, program.catalogue)


def standings(program: Program, options: Namespace) -> object:
    """Show the standings after a round."""
    with program.desk(options.file, read_only=True) as desk:
        division = division_after(desk.index, options)
        category = class_named(desk.index, division, options.category) if options.category else ""
        if options.json:
            return output.standings_json(desk.index, division, options.after, program.catalogue, category=category)
        after = desk.index.counted(division.id, options.after)
        heads = [report(program.catalogue, desk.index, division, after) for report in (standings_title, unchecked)]
        print(" · ".join(filter(None, heads)))
        if category:
            show_table(class_table(desk.index, division, category, after), program.catalogue)
        else:
            show_table(standings_tables.table(desk.index, division, after), program.catalogue)
    return None


def stages(program: Program, options: Namespace) -> object:
    """Show which rounds of a division are played how, by whom, and what counts there."""
    with program.desk(options.file, read_only=True) as desk:
        division = desk.index.division(options.division)
        if not options.json:
            show_table(schedule.table(desk.index, division), program.catalogue)
        return output.stages_json(desk.index, division)


def times(program: Program, options: Namespace) -> object:
    """Say when the rounds of a division begin; with a plan, from now on."""
    with program.desk(options.file, read_only=options.plan is None) as desk:
        division = desk.index.division(options.division)
        if options.plan is not None:
            desk.do("set-times", partial(commands.set_times, division=division.id, times=options.plan))
        if not options.json:
            show_table(times_table(program.catalogue, desk.index, division), program.catalogue)
        return output.times_json(desk.index, desk.index.division(division.code))


def balance(program: Program, options: Namespace) -> object:
    """Show who has started, met again and waited how often."""
    with program.desk(options.file, read_only=True) as desk:
        division = division_after(desk.index, options)
        if not options.json:
            show_table(statistics.balance(desk.index, division, options.after), program.catalogue)
        return output.balance_json(desk.index, division, options.after)


def bracket(program: Program, options: Namespace) -> object:
    """Show the bracket of a division's knockout."""
    with program.desk(options.file, read_only=True) as desk:
        division = desk.index.division(options.division)
        stage = knockout_of(desk.index, division.id)
        if stage is None:
            raise RuleViolation("no-knockout", division=division.code)
        found = output.bracket_json(desk.index, stage, program.catalogue)
    if not options.json:
        for match in found["matches"]:
            if match["needed"]:
                print(_match_line(match))
        if any(match["decided"] and not match["bye"] for match in found["matches"]):
            print(*(f"{row['place']:>3}  {row['name']}" for row in found["places"]), sep="\n")
    return {"division": division.code, **found}


def _match_line(match: Mapping[str, Any]) -> str:
    """Return a match as one line: its number, who plays, the points of each game, who has won."""
    sides = zip(match["names"], match["coming"], strict=True)
    shown = " – ".join(name or coming or "?" for name, coming in sides)
    played = [game for game in match["games"] if game["score1"] is not None]
    points = ", ".join(f"{game['score1']}-{game['score2']}" for game in played)
    winner = dict(zip(match["players"], match["names"], strict=True)).get(match["winner"])
    parts = (f"{match['round']}.{match['match']}  {match['title']}: {shown}", points, winner and f"→  {winner}")
    return "  ".join(filter(None, parts))


def check(program: Program, options: Namespace) -> int:
    """Check the file's integrity, name the open problems, and pair every round again from what was known then.

    The exit code is 0 if the file is sound, 2 otherwise; a round that would be paired otherwise now is no damage.
    """
    with program.desk(options.file, read_only=True) as desk:
        damage = desk.check()
        value = desk.index.tournament
        again = [(division, repaired(value, division.id)) for division in desk.index.divisions]
        words = program.catalogue
        rounds = [
            one for division, found in again for one in output.repaired_json(desk.index, division, found, words)
        ]
        found = [problem for division in desk.index.divisions for problem in problems(desk.index, division)]
        found += stale(program, desk)
        told = (program.catalogue.problem(problem.code, dict(problem.facts)) for problem in found)
        open_problems = list(dict.fromkeys(told))  # two divisions may have one in common
        broken = [program.catalogue.problem(item.code, dict(item.facts)) for item in damage]
    if options.json:
        show_json({"sound": not damage, "damage": broken, "problems": open_problems, "rounds": rounds})
    else:
        paired = [
            line for division, found in again for line in output.repaired_text(division, found, program.catalogue)
        ]
        for line in (*broken, *open_problems, *paired):
            print(line)
        if not damage:
            print(program.catalogue.text("The file is sound."))
    return 2 if damage else 0


def verify(program: Program, options: Namespace) -> int:
    """Say whether the file continues from the heads on its printouts, and which rounds' papers agree with it.

    The exit code is 0 if nothing speaks against it, 2 otherwise.
    """
    with program.desk(options.file, read_only=True) as desk:
        found = desk.verify(options.head)
    if options.json:
        show_json(output.verification_json(found))
    else:
        print(*verification_lines(found, program.catalogue), sep="\n")
    if found.holds:
        return 0
    print(program.catalogue.text("This file is not what it was."), file=sys.stderr)
    return 2


def history(program: Program, options: Namespace) -> object:
    """Show every step, newest first."""
    with program.desk(options.file, read_only=True) as desk:
        table = history_table(desk.history())
    if not options.json:
        show_table(table, program.catalogue)
    return [
        {
            **picked(row, "seq", "at", "station"),
            "label": row.step.label,
            "facts": dict(row.step.facts),
            **picked(row.step, "undoes"),
            **picked(row, "undone"),
            "text": program.catalogue.step(row.step.label, row.step.facts),
        }
        for row in table.rows
    ]


def undo(program: Program, options: Namespace) -> object:
    """Take back the newest step."""
    return _step(program, options, Desk.undo, N_("Undone: {step}"))


def redo(program: Program, options: Namespace) -> object:
    """Do again what was undone last."""
    return _step(program, options, Desk.redo, N_("Done again: {step}"))


def _step(program: Program, options: Namespace, move: Callable[[Desk], Step], message: str) -> object:
    with program.desk(options.file) as desk:
        step = move(desk)
        if not options.json:
            print(program.catalogue.text(message, step=program.catalogue.step(step.label, step.facts)))
        return step_json(desk, program.catalogue)


def erase(program: Program, options: Namespace) -> object:
    """Take personal data out for good."""
    if bool(options.numbers) == options.everybody:
        raise RuleViolation("erase-whom")
    with program.desk(options.file) as desk:
        desk.snapshots = snapshots_of(options.file, program.servers)
        players = None
        if options.numbers:
            division = desk.index.division(options.division).id
            players = [desk.index.player(division, number).id for number in options.numbers]
        word = program.catalogue.text("Player")
        gone = desk.erase(players, word=word)
        deleted = desk.delete_holding(gone) if options.snapshots else 0
        left = [str(item.path) for item in desk.snapshots.naming(gone)]
        said = list(unreached(desk, program.servers, program.catalogue))
        if not options.json:
            print(program.catalogue.text("Not reached, and to be seen to by you:"), *left, *said, sep="\n- ")
        step = step_json(desk, program.catalogue)
        return {**step, "snapshots_deleted": deleted, "snapshots_left": left, "not_reached": said}


def snapshot(program: Program, options: Namespace) -> object:
    """Copy the whole tournament to another file."""
    with program.desk(options.file, read_only=True) as desk:
        desk.store.snapshot(options.target)
    return {"file": str(options.target)}


def demo(program: Program, options: Namespace) -> object:
    """Make a complete, played sample tournament of 2 to 400 players and 1 to 50 rounds."""
    within(options.players, "players", low=2, high=400)
    within(options.rounds, "rounds", low=1, high=50)
    tournament = commands.new_tournament(
        key="demo",
        name=program.catalogue.text("Demo tournament"),
        ruleset=program.preset("nl-match"),
        seed=options.seed,
    )
    desk = Desk.create(options.file, tournament)
    try:
        play(desk, players=options.players, rounds=options.rounds)
    finally:
        desk.close()
    return {"file": str(options.file), "players": options.players, "rounds": options.rounds}
