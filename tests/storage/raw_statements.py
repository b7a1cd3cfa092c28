"""SQL statements of an attacker with the password of a station, and the roles that may run them.

The test replaces the `@` words: `@GAME`, `@OTHER` (games), `@FIRST`, `@SECOND`, `@THIRD` (players), `@SEQ` (number
of the next step), `@AT` (now), `@MINE` and `@THEIRS` (steps of the entry desk and the director), `@RESULT` (a row
as JSON), `@LOGIN`, `@DATABASE`, `@PID` (a session of the director).
"""

from __future__ import annotations

from typing import NamedTuple

from tdapp.domain.roles import Role


class Attempt(NamedTuple):
    """A statement and the roles that may run it. `needs_autocommit`: it cannot run in a transaction."""

    statement: str
    allowed: frozenset[Role] = frozenset()
    needs_autocommit: bool = False


ALL = frozenset({Role.ENTRY, Role.JURY, Role.DISPLAY})
DESKS = frozenset({Role.ENTRY, Role.JURY})
DISPLAY = frozenset({Role.DISPLAY})


def make_step_statement(
    changes: str,
    *,
    seq: str = "@SEQ",
    time: str = "@AT",
    label: str = "enter-result",
    facts: str = "{}",
    undoes: str = "NULL",
) -> str:
    """Return a call of `write_step`, the only function that writes."""
    return f"SELECT tdapp.write_step({seq}, '{time}', '{label}', '{facts}', {undoes}, '{changes}')"


def make_insertion(kind: str, key: str, row: str) -> str:
    return f'[["{kind}","{key}",null,{row}]]'


NEW = (
    '{"id":"@GAME","state":"entered","first":400,"second":300,"forfeit":null,"advances":null,"flag":null,'
    '"lost":null,"overtime":null,"words":null,"accounts":null,"disputed":null,"award":null,"cause":null,'
    '"verdicts":null,"applied":[],"refused":[],"break_up":null}'
)
SANCTION = (
    '{"id":"x","player":"@FIRST","round":null,"kind":"points","points":9,"why":"","author":"","forfeits":[]}'
)
SLIP = '{"id":"x","game":"@GAME","player":"@FIRST","own":1,"other":2,"started":null,"device":""}'
PRINTOUT = (
    '{"id":"x","report":"pairings","division":"d","round":1,"at":"@AT","content":"","language":"en","category":"",'
    '"best":null,"waived":"","revision":0,"head":"","missing":[],"results":false,"on":""}'
)
CHALLENGE = (
    '{"id":"x","division":"d","at":"@AT","words":[],"edition":"","verdict":"valid","judge":"","round":1,"table":1,'
    '"challenger":null,"second":"invalid","second_judge":"","joint":null,"occasion":null}'
)
WORD_RULING = (
    '{"id":"x","game":"@GAME","player":"@FIRST","word":"QI","score":1,"cost":1,"phony":true,"wrong_words":1,'
    '"author":"","why":"","edition":""}'
)
TURN = (
    '{"player":1,"kind":"pass","at":null,"word":null,"score":null,"total":null,"tiles":null,"ruling":null,'
    '"wrong_words":1,"words":1,"contested":null,"rack":null,"confirmed":false}'
)
SHEET = (
    '{"id":"x","game":"@GAME","form":1,"sheet":{"players":["A","B"],"turns":['
    + TURN
    + '],"first":1,"tileset":null,'
    '"knockout":false,"other_form":[],"racks":null,"rack_values":null,"ended":null,"flag":null,'
    '"overtime_seconds":[],"sanctions":[],"forfeit":null,"finals":[]},"rulings":[],"accounts":null}'
)
GAME = (
    '{"id":"@GAME","round":"@ROUND","table":1,"first":"@FIRST","second":"@SECOND","start":"assigned","locked":false,'
    '"match":null,"reason":@REASON}'
)
MOVED = GAME.replace('"table":1', '"table":9')
EVENT_GONE = '[["events","@EVENT",@EVENTROW,null]]'


def make_result_statement(old: str, new: str, **replacements: str) -> str:
    """Return the step of a new result of an unfinished game, with the text `old` replaced."""
    assert old in NEW
    return make_step_statement(make_insertion("results", "@GAME", NEW.replace(old, new)), **replacements)


READS = [
    Attempt("SELECT key FROM tdapp.secrets"),
    Attempt("SELECT key FROM secrets"),
    Attempt("TABLE tdapp_owner.stations"),
    Attempt("TABLE tdapp_owner.touched"),
    Attempt("TABLE tdapp_owner.kinds"),
    Attempt("SELECT notes, member FROM tdapp.players", DESKS),
    Attempt("SELECT * FROM tdapp.journal", DESKS),
    Attempt("SELECT * FROM tdapp.sheets", DESKS),
    Attempt("SELECT * FROM tdapp.rounds WHERE state = 'draft'", DESKS),
    Attempt("SELECT * FROM tdapp_public.players", DISPLAY),
    Attempt("SELECT rolpassword FROM pg_authid"),
    Attempt("SELECT passwd FROM pg_shadow"),
    Attempt("SELECT * FROM pg_statistic"),
    Attempt("SELECT pg_read_file('postgresql.conf')"),
    Attempt("SELECT pg_read_binary_file('PG_VERSION')"),
    Attempt("SELECT * FROM pg_ls_dir('.')"),
    Attempt("SELECT * FROM pg_hba_file_rules"),
    Attempt("SELECT current_setting('data_directory')"),
    Attempt("COPY tdapp.secrets TO STDOUT"),
    Attempt("COPY tdapp.players TO '/tmp/players'"),
    Attempt("COPY (SELECT 1) TO PROGRAM 'cat > /tmp/x'"),
    Attempt("COPY tdapp.players FROM PROGRAM 'id'"),
    Attempt("SELECT lo_import('/etc/passwd')"),
    Attempt("SELECT tdapp_owner.holder()"),
    Attempt("SELECT pg_current_logfile()"),
]

WRITES = [
    Attempt("INSERT INTO tdapp.results (id, state, first, second) VALUES ('@GAME', 'entered', 1, 2)"),
    Attempt("UPDATE tdapp.results SET first = 999"),
    Attempt("DELETE FROM tdapp.results"),
    Attempt("TRUNCATE tdapp.results CASCADE"),
    Attempt("MERGE INTO tdapp.results r USING tdapp.games g ON r.id = g.id WHEN MATCHED THEN DELETE"),
    Attempt("""INSERT INTO tdapp.journal (seq, at, station, label, facts, changes, hash)
VALUES (@SEQ, '@AT', 'director', 'enter-result', '{}', '[]', 'x')"""),
    Attempt("UPDATE tdapp.journal SET station = 'director'"),
    Attempt("DELETE FROM tdapp.journal"),
    Attempt("UPDATE tdapp.meta SET head = 'x'"),
    Attempt("UPDATE tdapp.meta SET revision = revision + 1"),
    Attempt("UPDATE tdapp.meta SET state = ''"),
    Attempt("DELETE FROM tdapp.meta"),
    Attempt("INSERT INTO tdapp.meta VALUES (2, 0, '', '', '', '')"),
    Attempt("UPDATE tdapp.secrets SET key = ''"),
    Attempt("UPDATE tdapp.players SET name = 'x'"),
    Attempt("UPDATE tdapp_public.players SET number = 1"),
    Attempt("DELETE FROM tdapp_public.games"),
    Attempt("INSERT INTO tdapp_owner.stations VALUES ('@LOGIN', 'director')"),
    Attempt("UPDATE tdapp_owner.stations SET role = 'director'"),
    Attempt("INSERT INTO tdapp_owner.ending VALUES (now())"),
    Attempt("COPY tdapp.players (id) FROM STDIN"),
    Attempt("UPDATE pg_authid SET rolsuper = true"),
    Attempt("UPDATE pg_class SET relacl = NULL"),
]

STEPS = [
    Attempt(make_result_statement("null", "null", label="edit-event")),
    Attempt(make_result_statement("null", "null", label="Personal data erased")),
    Attempt(make_result_statement("null", "null", seq="@SEQ - 1")),
    Attempt(make_result_statement("null", "null", seq="@SEQ + 1")),
    Attempt(make_result_statement("null", "null", seq="NULL")),
    Attempt(make_result_statement("null", "null", time="2020-01-01T00:00:00+00:00")),
    Attempt(make_result_statement("null", "null", time="soon")),
    Attempt(make_result_statement("null", "null", facts="[]")),
    Attempt(make_result_statement("null", "null", facts='{"table":{}}')),
    Attempt(make_result_statement("null", "null", facts='{ "table":1}')),
    Attempt(make_result_statement("null", "null", facts='{"table":1.5}')),
    Attempt(make_result_statement("null", "null", facts='{"table":"\\u0000"}')),
    Attempt(make_result_statement("null", "null", undoes="@THEIRS")),
    Attempt(make_result_statement("null", "null", undoes="@MINE")),
    Attempt(make_result_statement("null", "null", undoes="999")),
    Attempt(make_step_statement("[]")),
    Attempt(make_step_statement("{}")),
    Attempt(make_step_statement("[")),
    Attempt(make_step_statement("[[]]")),
    Attempt(make_step_statement('[["journal","1",null,null]]')),
    Attempt(make_step_statement('[["meta","1",null,{"id":2}]]')),
    Attempt(make_step_statement('[["secrets","1",null,{"id":1,"key":""}]]')),
    Attempt(make_step_statement(EVENT_GONE)),
    Attempt(make_step_statement('[["results","@OTHER",null,null]]')),
    Attempt(make_step_statement('[["results","@OTHER",@RESULT,@RESULT]]')),
    Attempt(make_step_statement('[["results","@GAME",@RESULT,null]]')),
    Attempt(make_step_statement(make_insertion("results", "@OTHER", "@RESULT"))),
    Attempt(make_step_statement(make_insertion("results", "@OTHER", NEW))),
    Attempt(make_step_statement(f'[["results","@GAME",{NEW},null]]')),
    Attempt(make_step_statement(f'[["results","@GAME",null,{NEW}],["results","@GAME",{NEW},null]]')),
    Attempt(make_step_statement(f'[["results","@GAME",null,{NEW},1]]')),
    Attempt(make_result_statement('"id":"@GAME"', '"id":"nowhere"')),
    Attempt(make_step_statement(make_insertion("results", "nowhere", NEW.replace("@GAME", "nowhere")))),
    Attempt(make_result_statement('"state":"entered"', '"state":"won"')),
    Attempt(make_result_statement('"first":400', '"first":"400"')),
    Attempt(make_result_statement('"first":400', '"first":4e2')),
    Attempt(make_result_statement('"first":400', '"first":10000')),
    Attempt(make_result_statement('"second":300', '"second":-5000')),
    Attempt(make_result_statement('"first":400', '"first":400.0')),
    Attempt(make_result_statement('"first":400', '"first":9999999999999999999')),
    Attempt(make_result_statement('"first":400', '"first":null')),
    Attempt(make_result_statement('"first":400,', "")),
    Attempt(make_result_statement('"first":400', '"first": 400')),
    Attempt(make_result_statement('"first":400', '"first":1,"first":400')),
    Attempt(make_result_statement('"first":400', '"first":400,"more":1')),
    Attempt(make_result_statement('"accounts":null', '"accounts":{}')),
    Attempt(make_result_statement('"accounts":null', '"accounts":[{"turns":1}]')),
    Attempt(make_result_statement('"overtime":null', '"overtime":[1]')),
    Attempt(make_result_statement('"overtime":null', '"overtime":[1,2,3]')),
    Attempt(make_result_statement('"forfeit":null', '"forfeit":"3"')),
    Attempt(make_step_statement(make_insertion("slips", "x", SLIP.replace("@GAME", "nowhere")))),
    Attempt(make_step_statement(make_insertion("slips", "x", SLIP.replace('"id":"x"', '"id":"y"')))),
    Attempt(make_step_statement(make_insertion("slips", "\\ud800", SLIP.replace('"id":"x"', '"id":"\\ud800"')))),
    Attempt(make_step_statement(make_insertion("slips", "\\u0007", SLIP.replace('"id":"x"', '"id":"\\u0007"')))),
    Attempt(make_step_statement(make_insertion("sanctions", "x", SANCTION.replace("@FIRST", "nobody")))),
    Attempt(
        make_step_statement(
            make_insertion("sanctions", "x", SANCTION.replace('"kind":"points"', '"kind":"exile"')),
            label="add-sanction",
        )
    ),
    Attempt(
        make_step_statement(
            make_insertion("sanctions", "x", SANCTION.replace('"forfeits":[]', '"forfeits":{}')),
            label="add-sanction",
        )
    ),
    Attempt(
        make_step_statement(
            make_insertion("printouts", "x", PRINTOUT.replace("@AT", "soon")), label="note-printouts"
        )
    ),
    Attempt(
        make_step_statement(
            make_insertion("printouts", "x", PRINTOUT.replace("@AT", "2026-02-30T10:00:00Z")),
            label="note-printouts",
        )
    ),
    Attempt(
        make_step_statement(
            make_insertion("printouts", "x", PRINTOUT.replace('"en"', '"../.."')), label="note-printouts"
        )
    ),
    Attempt(make_step_statement(make_insertion("challenges", "x", CHALLENGE), label="record-challenge")),
    Attempt(
        make_step_statement(
            make_insertion("word_rulings", "x", WORD_RULING.replace('"phony":true', '"phony":1')),
            label="rule-on-word",
        )
    ),
    Attempt(
        make_step_statement(
            make_insertion("sheets", "x", SHEET.replace('"player":1', '"player":9')), label="enter-sheet"
        )
    ),
    Attempt(
        make_step_statement(
            make_insertion("sheets", "x", SHEET.replace('["A","B"]', '["A"]')), label="enter-sheet"
        )
    ),
    Attempt(
        make_step_statement(
            make_insertion("sheets", "x", SHEET.replace('"racks":null', '"racks":["A"]')), label="enter-sheet"
        )
    ),
    Attempt(make_step_statement(f'[["games","@GAME",{GAME},null]]')),
    Attempt(make_step_statement(f'[["games","@GAME",{GAME},{MOVED}]]')),
    Attempt(make_step_statement(f'[["games","@GAME",{GAME},{GAME.replace("@FIRST", "@THIRD")}]]')),
    Attempt(make_step_statement(f'[["games","@GAME",{GAME},{GAME.replace("@SECOND", "@FIRST")}]]')),
]

DEFINITIONS = [
    Attempt("CREATE TABLE tdapp.more (id bigint)"),
    Attempt("CREATE TABLE public.more (id bigint)"),
    Attempt("CREATE TEMP TABLE more (id bigint)"),
    Attempt("CREATE SCHEMA mine"),
    Attempt("CREATE FUNCTION public.f() RETURNS int LANGUAGE sql AS 'SELECT 1'"),
    Attempt("CREATE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS 'SELECT 1'"),
    Attempt("CREATE OR REPLACE FUNCTION tdapp.hold() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'"),
    Attempt("CREATE VIEW tdapp_public.more AS SELECT 1"),
    Attempt("CREATE TRIGGER t AFTER UPDATE ON tdapp.meta EXECUTE FUNCTION suppress_redundant_updates_trigger()"),
    Attempt("CREATE RULE r AS ON UPDATE TO tdapp.meta DO INSTEAD NOTHING"),
    Attempt("CREATE EXTENSION pgcrypto"),
    Attempt("CREATE ROLE friend LOGIN SUPERUSER"),
    Attempt("CREATE DATABASE mine", needs_autocommit=True),
    Attempt("DROP TABLE tdapp.results"),
    Attempt("DROP SCHEMA tdapp CASCADE"),
    Attempt("DROP FUNCTION tdapp.write_step"),
    Attempt("ALTER TABLE tdapp.results ADD COLUMN more bigint"),
    Attempt("ALTER TABLE tdapp.results OWNER TO CURRENT_USER"),
    Attempt("ALTER ROLE CURRENT_USER SUPERUSER"),
    Attempt("ALTER ROLE CURRENT_USER CONNECTION LIMIT -1"),
    Attempt("ALTER ROLE CURRENT_USER SET temp_file_limit TO -1"),
    Attempt("ALTER DATABASE @DATABASE SET lock_timeout TO 0"),
    Attempt("ALTER SYSTEM SET max_connections TO 1", needs_autocommit=True),
    Attempt("GRANT ALL ON ALL TABLES IN SCHEMA tdapp TO CURRENT_USER"),
    Attempt("GRANT owner TO CURRENT_USER"),
    Attempt("COMMENT ON SCHEMA tdapp IS 'tournament of tdapp, version 99'"),
    Attempt("ALTER EVENT TRIGGER x DISABLE"),
    Attempt("VACUUM FULL tdapp.meta", DESKS, needs_autocommit=True),
    Attempt("REINDEX TABLE tdapp.results"),
    Attempt("REFRESH MATERIALIZED VIEW tdapp.results"),
    Attempt("DO $$ BEGIN UPDATE tdapp.meta SET head = 'x'; END $$"),
    Attempt("SET ROLE owner"),
    Attempt("SET SESSION AUTHORIZATION owner"),
    Attempt("SET session_replication_role TO replica"),
    Attempt("SET temp_file_limit TO -1"),
]

LOCKS = [
    Attempt("LOCK TABLE tdapp.meta IN ACCESS EXCLUSIVE MODE"),
    Attempt("LOCK TABLE tdapp.meta IN EXCLUSIVE MODE"),
    Attempt("LOCK TABLE tdapp.meta IN SHARE MODE"),
    Attempt("LOCK TABLE tdapp.results IN ROW EXCLUSIVE MODE"),
    Attempt("LOCK TABLE tdapp_public.meta IN ACCESS EXCLUSIVE MODE"),
    Attempt("LOCK TABLE tdapp.meta IN ACCESS SHARE MODE", DESKS),
    Attempt("SELECT FROM tdapp.meta FOR UPDATE"),
    Attempt("SELECT FROM tdapp.meta FOR KEY SHARE"),
    Attempt("SELECT FROM tdapp_public.meta FOR SHARE"),
    Attempt("SELECT pg_advisory_lock(i) FROM generate_series(1, 1000000) i"),
    Attempt("SELECT pg_advisory_xact_lock(1)"),
    Attempt("SELECT lo_create(0)"),
    Attempt("SELECT lo_from_bytea(0, 'x')"),
    Attempt("PREPARE TRANSACTION 'mine'"),
    Attempt("SELECT pg_terminate_backend(@PID)"),
    Attempt("SELECT pg_cancel_backend(@PID)"),
    Attempt("SELECT pg_reload_conf()"),
    Attempt("SELECT pg_switch_wal()"),
    Attempt("SELECT pg_create_physical_replication_slot('x')"),
    Attempt("SELECT pg_logical_emit_message(false, 'x', 'y')"),
    Attempt("CHECKPOINT"),
    Attempt("NOTIFY tdapp, 'ended'", ALL),
    Attempt("SELECT pg_notify('tdapp', 'ended')", ALL),
    Attempt("SET lock_timeout TO 0", ALL),
    Attempt("SET statement_timeout TO 0", ALL),
    Attempt("SET idle_in_transaction_session_timeout TO 0", ALL),
    Attempt("SET default_transaction_isolation TO serializable", ALL),
    Attempt("SET search_path TO pg_temp, public", ALL),
    Attempt("SELECT tdapp_owner.send_away(true)"),
    Attempt("SELECT tdapp_owner.end_excessive_sessions()"),
]

ATTEMPTS = (*READS, *WRITES, *STEPS, *DEFINITIONS, *LOCKS)
