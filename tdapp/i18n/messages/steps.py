"""A sentence in the past tense for every command, for the history and for undo."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from tdapp.domain.mark import N_, Plural, Text

STEPS: Mapping[str, Text] = MappingProxyType(
    {
        # the tournament
        "new-tournament": N_("Tournament made"),
        "import-tournament": N_("Tournament imported"),
        "edit-event": N_("Tournament’s data changed"),
        "set-check-first": Plural(
            "Rounds are paired only on checked results",
            "Rounds may be paired on unchecked results",
            by="check_first",
        ),
        "set-names-shown": N_("What everybody may read of players changed"),
        "open-entry": N_("Players may enter results"),
        "close-entry": N_("Players may no longer enter results"),
        "renew-codes": N_("Codes of the result slips renewed"),
        "enter-slip": N_("Round {round}, table {table}: {player} entered {own} against {other}"),
        "drop-slips": N_("Round {round}, table {table}: what the players had entered dropped"),
        "hold-standings": N_("Division {division}: what is held back from the public changed"),
        "choose-wordlist": N_("Word list of the jury chosen"),
        "change-rules": Plural("Rules changed to {rules}", "Rules changed: {changed:rules}", by="whole"),
        "finish-tournament": N_("Tournament finished"),
        "reopen-tournament": N_("Tournament reopened"),
        "add-division": N_("Division {code} added"),
        "edit-division": N_("Division {division} changed"),
        "remove-division": N_("Division {division} removed"),
        "set-order": N_("Division {division}: order of ranking changed"),
        "set-spread-caps": N_("Division {division}: caps of the spread changed"),
        "set-sessions": N_("Division {division}: sessions and tables kept changed"),
        "add-table-group": N_("Tables {first}–{last} named {name}"),
        "edit-table-group": N_("Tables {group} changed"),
        "remove-table-group": N_("Tables {group} no longer a group"),
        "add-stage": N_("Division {division}: stage added ({system:system})"),
        "edit-stage": N_("Stage changed ({stage:system})"),
        "schedule-stage": N_("Rounds of a stage changed ({stage:system})"),
        "split-stage": N_("Stage split ({stage:system})"),
        "merge-stages": N_("Stage put together with the next one ({stage:system})"),
        "move-stage": N_("Stage moved ({stage:system})"),
        "remove-stage": N_("Stage removed ({stage:system})"),
        "draw-cut": N_("Drawn from the seed who goes on"),
        "insert-play-off": N_("Play-off at the line of the cut added"),
        "set-seeds": N_("Seeds set"),
        "seed-stage": N_("Seeded: {by:code}"),
        # players
        "add-player": N_("{name} added"),
        "edit-player": N_("{player} changed"),
        "remove-player": N_("{player} removed"),
        "move-player": N_("{player} moved to division {division}"),
        "check-in": Plural("Checked in: {player}", "Not here: {player}", by="present"),
        "withdraw-player": N_("{player} withdrawn"),
        "return-player": N_("{player} is back"),
        "set-absence": N_("{player} absent from round {first_round}"),
        "miss-round": Plural(
            "Round {round_number}: {player} absent",
            "Round {round_number}: {count} players absent: {player}",
            "count",
        ),
        "clear-absence": N_("{player} no longer absent in round {round_number}"),
        "forbid-pairing": N_("{player} and {other} are never paired"),
        "keep-apart": N_("{player} and {other} kept apart where it costs nothing"),
        "order-pairing": N_("{player} and {other} to meet in round {round_number}"),
        "remove-bond": N_("{player} and {other} paired like everybody again"),
        "allow-pairing": N_("{player} and {other} may meet again"),
        "import-players": Plural("One player imported", "{count} players imported", "count"),
        "import-division": N_("Division {division} imported"),
        "import-event": N_("Divisions imported: {divisions}"),
        "erase-players": Plural(
            "Personal data erased: {player}", "Personal data of {count} players erased: {player}", "count"
        ),
        # rounds
        "propose-round": N_("Round {round} paired as a draft"),
        "pair-round": N_("Round {round} paired and published"),
        "publish-round": N_("Round {round} published"),
        "discard-round": N_("Round {round} taken away"),
        "swap-players": N_("{player} and {other} changed places"),
        "pair-around": N_("{player} paired by hand, and the others anew"),
        "pair-by-hand": N_("{player} paired by hand"),
        "unpair-game": N_("Round {round}: {first_name} – {second_name} taken out of the draft"),
        "lock-game": Plural(
            "Round {round}: table {table} kept", "Round {round}: table {table} no longer kept", by="locked"
        ),
        "set-table": N_("Round {round}: {first_name} – {second_name} moved to table {table}"),
        "set-starter": N_("Round {round}, table {table}: {player} starts"),
        "play-as-seated": N_("Round {round} played as seated"),
        "seat-latecomer": N_("Round {round}: {player} seated late"),
        # results
        "enter-result": Plural("Result of table {table} entered", "Result of table {table} corrected", by="fresh"),
        "enter-results": Plural("One result entered", "{count} results entered", "count"),
        "clear-result": N_("Result of table {table} cleared"),
        "check-result": N_("Result of table {table} checked"),
        "second-result": N_("Result of table {table} corrected by its second entry"),
        "certify-result": N_("Result of table {table} certified"),
        "decide-tie": N_("Table {table}: tie decided"),
        # sheets and sanctions
        "enter-sheet": N_("Score sheet of table {table} entered"),
        "enter-sheets": Plural("One score sheet entered", "{count} score sheets entered", "count"),
        "clear-sheet": N_("Score sheet of table {table} cleared"),
        "rule-on-turn": Plural(
            "Table {table}: turn {turn} ruled wrong", "Table {table}: turn {turn} ruled to stand", by="phony"
        ),
        "add-sanction": N_("{player}: sanction, {kind:SanctionKind}"),
        "remove-sanction": N_("{player}: sanction taken back, {kind:SanctionKind}"),
        # incidents and challenges
        "note-incident": N_("Incident noted: {kind:IncidentKind}"),
        "edit-incident": N_("Incident corrected"),
        "remove-incident": N_("Incident taken off the log"),
        "record-challenge": N_("Challenge: {verdict:code}"),
        "appeal-challenge": N_("Appeal: {second:code}"),
        "remove-challenge": N_("Challenge taken off the log"),
        # prizes and ratings
        "add-prize": N_("Prize added: {kind:PrizeKind}"),
        "edit-prize": N_("Prize changed: {kind:PrizeKind}"),
        "move-prize": N_("Prize moved in the list: {kind:PrizeKind}"),
        "remove-prize": N_("Prize taken off the list: {kind:PrizeKind}"),
        "choose-rating": N_("Division {division}: rating system chosen"),
        # paper
        "choose-papers": N_("Papers that are printed together chosen"),
        "note-printings": Plural("One paper printed", "{count} papers printed", "count"),
        "waive-printings": Plural(
            "One paper need not be printed again", "{count} papers need not be printed again", "count"
        ),
        "set-logo": N_("Logo for paper: {name}"),
        "remove-logo": N_("Logo taken off the paper"),
    }
)
