-- The functions of `station_functions`. The program replaces the words after an at sign.

CREATE FUNCTION tdapp_owner.seal(VARIADIC items text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT left(encode(sha256(convert_to(to_json(items)::text, 'UTF8')), 'hex'), 32)
$$;
CREATE FUNCTION tdapp_owner.counted(kind text, columns text[]) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN columns IS NULL THEN 0 ELSE
    ('x' || left(tdapp_owner.seal(VARIADIC kind || columns), 15))::bit(60)::bigint END
$$;
CREATE FUNCTION tdapp_owner.sum_after(state text, more bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT lpad(to_hex((('x' || state)::bit(60)::bigint + more) & 1152921504606846975), 15, '0')
$$;

-- Canonical text: what `columns.to_text` makes of the value. Other text is refused, so that every station reads it
-- as it was written.
CREATE FUNCTION tdapp_owner.refuse(why text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'TD002', MESSAGE = why;
END
$$;
CREATE FUNCTION tdapp_owner.scalar(value json, rule jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  kind text := json_typeof(value);
  plain text := value #>> '{}';
BEGIN
  IF kind = 'string' THEN
    IF plain ~ '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]'
      OR (jsonb_typeof(rule) = 'array' AND NOT rule ? plain) THEN
      PERFORM tdapp_owner.refuse('no such text');
    END IF;
    RETURN to_json(plain)::text;
  ELSIF kind = 'number' AND (plain !~ '^(0|-?[1-9][0-9]{0,18})$' OR plain::bigint IS NULL
    OR (jsonb_typeof(rule) = 'array' AND plain::bigint NOT BETWEEN (rule ->> 0)::bigint AND (rule ->> 1)::bigint))
  THEN
    PERFORM tdapp_owner.refuse('no such number');
  END IF;
  RETURN coalesce(plain, 'null');
END
$$;
CREATE FUNCTION tdapp_owner.canonical(value json, shape jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  kind text := json_typeof(value);
  rule jsonb := shape -> kind;
  parts text;
BEGIN
  IF rule IS NULL THEN
    PERFORM tdapp_owner.refuse('no such value');
  ELSIF kind = 'array' AND rule ? 'each' THEN
    SELECT string_agg(tdapp_owner.canonical(item, rule -> 'each'), ',' ORDER BY n) INTO parts
    FROM json_array_elements(value) WITH ORDINALITY AS items (item, n);
  ELSIF kind = 'array' THEN
    SELECT string_agg(tdapp_owner.canonical(value -> (n::integer - 1), item), ',' ORDER BY n) INTO parts
    FROM jsonb_array_elements(rule) WITH ORDINALITY AS items (item, n);
  ELSIF kind = 'object' AND jsonb_typeof(rule) = 'object' THEN
    SELECT string_agg(to_json(name)::text || ':' || tdapp_owner.canonical(item, rule -> 'each'), ',' ORDER BY n)
    INTO parts FROM json_each(value) WITH ORDINALITY AS items (name, item, n);
  ELSIF kind = 'object' THEN
    SELECT string_agg(to_json(field ->> 0)::text || ':'
      || tdapp_owner.canonical(value -> (field ->> 0), field -> 1), ',' ORDER BY n) INTO parts
    FROM jsonb_array_elements(rule) WITH ORDINALITY AS items (field, n);
  ELSE
    RETURN tdapp_owner.scalar(value, rule);
  END IF;
  RETURN CASE kind WHEN 'array' THEN '[' || coalesce(parts, '') || ']' ELSE '{' || coalesce(parts, '') || '}' END;
END
$$;
CREATE FUNCTION tdapp_owner.joined(changes text, backwards boolean) RETURNS text LANGUAGE sql AS $$
  SELECT '[' || string_agg(format('[%s,%s,%s,%s]', to_json(item ->> 0), to_json(item ->> 1),
    CASE WHEN backwards THEN item -> 3 ELSE item -> 2 END, CASE WHEN backwards THEN item -> 2 ELSE item -> 3 END),
    ',' ORDER BY CASE WHEN backwards THEN -n ELSE n END) || ']'
  FROM json_array_elements(changes::json) WITH ORDINALITY AS items (item, n)
$$;

-- Values that fit their type but no window can show.
CREATE FUNCTION tdapp_owner.is_for_two(sheet json) RETURNS boolean LANGUAGE sql AS $$
  SELECT json_array_length(sheet -> 'players') = 2 AND (sheet ->> 'first')::bigint IN (1, 2)
    AND coalesce((sheet ->> 'flag')::bigint, 1) IN (1, 2)
    AND coalesce(sheet ->> 'forfeit', '1') IN ('1', '2', 'both')
    AND json_array_length(sheet -> 'overtime_seconds') IN (0, 2) AND json_array_length(sheet -> 'finals') IN (0, 2)
    AND (json_typeof(sheet -> 'racks') = 'null' OR json_array_length(sheet -> 'racks') = 2)
    AND (json_typeof(sheet -> 'rack_values') = 'null' OR json_array_length(sheet -> 'rack_values') = 2)
    AND NOT EXISTS (SELECT FROM json_array_elements(sheet -> 'turns') AS turn
      WHERE (turn ->> 'player')::bigint NOT IN (1, 2))
    AND NOT EXISTS (SELECT FROM json_array_elements(sheet -> 'sanctions') AS sanction
      WHERE (sanction ->> 'player')::bigint NOT IN (1, 2))
$$;
CREATE FUNCTION tdapp_owner.is_moment(sent text) RETURNS boolean LANGUAGE sql AS $$
  SELECT sent ~ '^[0-9]{4}(-[0-9][0-9]){2}T[0-9][0-9](:[0-9][0-9]){2}(Z|[+]00:00)$'
    AND sent::timestamptz IS NOT NULL
$$;
CREATE FUNCTION tdapp_owner.refuse_senseless(kind text, sent json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (kind IN ('incidents', 'challenges', 'printouts') AND NOT tdapp_owner.is_moment(sent ->> 'at'))
    OR (kind = 'challenges' AND sent ->> 'second' <> sent ->> 'verdict' AND sent ->> 'joint' IS NULL)
    OR (kind = 'printouts' AND sent ->> 'language' NOT IN (@LANGUAGES))
    OR (kind = 'results' AND ((sent ->> 'first')::bigint NOT BETWEEN @LEAST_POINTS AND @MOST_POINTS
      OR (sent ->> 'second')::bigint NOT BETWEEN @LEAST_POINTS AND @MOST_POINTS))
    OR (kind = 'sheets' AND NOT tdapp_owner.is_for_two(sent -> 'sheet')) THEN
    PERFORM tdapp_owner.refuse('a row that makes no sense');
  END IF;
END
$$;

CREATE FUNCTION tdapp_owner.columns(known tdapp_owner.kinds, sent json) RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
  found text[];
BEGIN
  IF json_typeof(sent) = 'null' THEN
    RETURN NULL;
  ELSIF tdapp_owner.canonical(sent, known.shape) <> sent::text THEN
    PERFORM tdapp_owner.refuse('a row is not written as it is kept');
  END IF;
  EXECUTE known.plain INTO found USING sent;
  RETURN found;
END
$$;
CREATE FUNCTION tdapp_owner.refuse_unless_may(
  who text, known tdapp_owner.kinds, old text[], new text[], sent json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM tdapp_owner.touched t WHERE (t.role, t.kind, t.field) = (who, known.kind, '*')) THEN
    RETURN;
  ELSIF old IS NULL OR new IS NULL OR EXISTS (
    SELECT FROM unnest(known.fields, old, new) AS cells (field, was, becomes)
    WHERE was IS DISTINCT FROM becomes AND (who, known.kind, field) NOT IN (SELECT * FROM tdapp_owner.touched))
    OR least(sent #>> '{2,first}', sent #>> '{2,second}') <> least(sent #>> '{3,first}', sent #>> '{3,second}')
    OR greatest(sent #>> '{2,first}', sent #>> '{2,second}')
      <> greatest(sent #>> '{3,first}', sent #>> '{3,second}')  -- players of a game only change their sides
  THEN
    RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = format('%s may not change %s', who, known.kind);
  END IF;
END
$$;
CREATE FUNCTION tdapp_owner.change(who text, sent json) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  known tdapp_owner.kinds;
  old text[];
  new text[];
  here text[];
BEGIN
  SELECT * INTO STRICT known FROM tdapp_owner.kinds k WHERE k.kind = sent ->> 0;
  old := tdapp_owner.columns(known, sent -> 2);
  new := tdapp_owner.columns(known, sent -> 3);
  EXECUTE known.reading INTO here USING sent ->> 1;
  IF here IS DISTINCT FROM old OR old IS NOT DISTINCT FROM new OR new[1] <> sent ->> 1 THEN
    PERFORM tdapp_owner.refuse('a row is not what it is said to be');
  END IF;
  PERFORM tdapp_owner.refuse_unless_may(who, known, old, new, sent);
  IF new IS NULL THEN
    EXECUTE format('DELETE FROM tdapp.%I WHERE id = $1', known.kind) USING sent ->> 1;
  ELSE
    PERFORM tdapp_owner.refuse_senseless(known.kind, sent -> 3);
    EXECUTE CASE WHEN old IS NULL THEN known.inserting ELSE known.updating END USING new;
  END IF;
  RETURN tdapp_owner.counted(known.kind, new) - tdapp_owner.counted(known.kind, old);
END
$$;

-- As `domain.tournament.find_inconsistent_rows`, for the row kinds of a step: what no command of ours leads to.
CREATE FUNCTION tdapp_owner.refuse_faults(kinds text[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  SET CONSTRAINTS ALL IMMEDIATE;
  IF (SELECT count(*) FROM tdapp.events) <> 1 OR (SELECT count(*) FROM tdapp.rules) <> 1
    OR ('sheets' = ANY (kinds)
      AND EXISTS (SELECT FROM tdapp.sheets GROUP BY game, form HAVING count(*) > 1))
    OR ('players' = ANY (kinds)
      AND EXISTS (SELECT FROM tdapp.players GROUP BY division, number HAVING count(*) > 1))
    OR ('divisions' = ANY (kinds)
      AND EXISTS (SELECT FROM tdapp.divisions GROUP BY lower(code) HAVING count(*) > 1))
    OR (kinds && '{stages,rounds}'
      AND EXISTS (SELECT FROM tdapp.rounds r JOIN tdapp.stages s ON s.id = r.stage
        GROUP BY s.division, r.number HAVING count(*) > 1))
    OR (kinds && '{games,byes}'
      AND EXISTS (SELECT FROM tdapp.games GROUP BY round, "table" HAVING count(*) > 1
        UNION ALL SELECT FROM (SELECT round, first AS player FROM tdapp.games
          UNION ALL SELECT round, second FROM tdapp.games
          UNION ALL SELECT round, player FROM tdapp.byes) AS seats GROUP BY round, player HAVING count(*) > 1))
    OR ('results' = ANY (kinds)
      AND EXISTS (SELECT FROM tdapp.results r WHERE (r.first IS NULL) <> (r.second IS NULL)
        OR (r.first IS NULL AND r.forfeit IS NULL)))
  THEN
    PERFORM tdapp_owner.refuse('the tournament would not be whole');
  END IF;
END
$$;

-- A station that keeps others from writing is disconnected; an error names it if it cannot be. It may set its own
-- timeouts.
CREATE FUNCTION tdapp_owner.send_away(readers boolean) RETURNS bigint LANGUAGE sql AS $$
  SELECT count(*) FROM (
    SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity a
    JOIN tdapp_owner.stations s ON s.login = a.usename
    WHERE a.datname = current_database() AND a.pid <> pg_backend_pid()
    AND (readers OR a.backend_xid IS NOT NULL)
    AND a.xact_start < clock_timestamp() - interval '@LOCK_LIMIT s') AS ended
$$;
-- A login can change its own timeouts, and not every owner can revoke advisory locks. The owner's program calls this
-- every few seconds. It also ends sessions in other databases: they share locks and disk.
CREATE FUNCTION tdapp_owner.end_excessive_sessions() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  station integer;
BEGIN
  FOR station IN SELECT a.pid FROM pg_stat_activity a JOIN tdapp_owner.stations s ON s.login = a.usename
    WHERE a.xact_start < clock_timestamp() - interval '@TRANSACTION_LIMIT s'
    OR EXISTS (SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.locktype = 'advisory') LOOP
    BEGIN
      PERFORM pg_terminate_backend(station);
    EXCEPTION WHEN insufficient_privilege THEN
      NULL;
    END;
  END LOOP;
END
$$;
CREATE FUNCTION tdapp_owner.holder() RETURNS text LANGUAGE sql AS $$
  SELECT coalesce(string_agg(DISTINCT a.usename, ', '), '?') FROM pg_stat_activity a JOIN pg_locks l USING (pid)
  WHERE l.relation = 'tdapp.meta'::regclass AND l.mode <> 'AccessShareLock' AND l.granted
  AND a.pid <> pg_backend_pid() AND NOT EXISTS (SELECT FROM pg_locks w WHERE w.pid = a.pid AND NOT w.granted)
$$;
CREATE FUNCTION tdapp.hold() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  FOR attempt IN 1..2 LOOP
    BEGIN
      RETURN (SELECT revision FROM tdapp.meta FOR UPDATE);
    EXCEPTION WHEN lock_not_available THEN
      EXIT WHEN attempt = 2 OR tdapp_owner.send_away(false) = 0;
    END;
  END LOOP;
  RAISE EXCEPTION USING ERRCODE = '55P03', MESSAGE = 'held by ' || tdapp_owner.holder();
END
$$;

CREATE FUNCTION tdapp_owner.refuse_step(
  who text, step_at text, step_label text, step_facts text, step_undoes bigint, step_changes text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  undone tdapp.journal;
BEGIN
  IF NOT EXISTS (SELECT FROM tdapp_owner.commands c WHERE (c.role, c.command) = (who, step_label)) THEN
    RAISE EXCEPTION USING ERRCODE = '42501', MESSAGE = format('%s may not do %s', coalesce(who, '?'), step_label);
  ELSIF step_at !~ '^[0-9]{4}(-[0-9][0-9]){2}T[0-9][0-9](:[0-9][0-9]){2}[+]00:00$'
    OR step_at::timestamptz NOT BETWEEN now() - interval '1 day' AND now() + interval '1 day' THEN
    RAISE EXCEPTION USING ERRCODE = 'TD003', MESSAGE = now()::text;
  ELSIF octet_length(step_facts) > 65536 OR octet_length(step_changes) > 33554432
    OR EXISTS (SELECT FROM json_array_elements(step_changes::json) AS items (item)
      GROUP BY item ->> 0, item ->> 1 HAVING count(*) > 1)
    OR tdapp_owner.canonical(step_facts::json, '@FACTS') <> step_facts
    OR tdapp_owner.joined(step_changes, false) IS DISTINCT FROM step_changes THEN
    PERFORM tdapp_owner.refuse('the step is not written as it is kept');
  END IF;
  IF step_undoes IS NOT NULL THEN
    SELECT * INTO undone FROM tdapp.journal WHERE seq = step_undoes;
    IF undone.station IS DISTINCT FROM session_user OR undone.label <> step_label
      OR tdapp_owner.joined(undone.changes, true) <> step_changes THEN
      PERFORM tdapp_owner.refuse('only a step of one''s own is undone');
    END IF;
  END IF;
END
$$;
CREATE FUNCTION tdapp.write_step(
  step_seq bigint, step_at text, step_label text, step_facts text, step_undoes bigint, step_changes text)
RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  who text := (SELECT role FROM tdapp_owner.stations WHERE login = session_user);
  sent json;
  delta numeric := 0;
  sealed text;
BEGIN
  IF step_seq IS DISTINCT FROM tdapp.hold() + 1 THEN
    RAISE EXCEPTION USING ERRCODE = 'TD001', MESSAGE = 'another revision';
  ELSIF (SELECT goes_on_at FROM tdapp.meta) <> '' THEN
    RAISE EXCEPTION USING ERRCODE = 'TD004', MESSAGE = 'back in a file';
  END IF;
  PERFORM tdapp_owner.refuse_step(who, step_at, step_label, step_facts, step_undoes, step_changes);
  FOR sent IN SELECT * FROM json_array_elements(step_changes::json) LOOP
    delta := delta + tdapp_owner.change(who, sent);
  END LOOP;
  PERFORM tdapp_owner.refuse_faults(
    ARRAY(SELECT DISTINCT item ->> 0 FROM json_array_elements(step_changes::json) AS items (item)));
  SELECT tdapp_owner.seal(head, step_seq::text, step_at, session_user, step_label, step_facts, step_undoes::text,
    step_changes) INTO sealed FROM tdapp.meta;
  INSERT INTO tdapp.journal VALUES (
    step_seq, step_at, session_user, step_label, step_facts, step_undoes, step_changes, sealed);
  UPDATE tdapp.meta SET revision = step_seq, head = sealed,
    state = tdapp_owner.sum_after(state, mod(delta, 1152921504606846976)::bigint);
  PERFORM pg_notify('tdapp', '');
  RETURN sealed;
END
$$;

CREATE FUNCTION tdapp_public.role_here() RETURNS text LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT role FROM tdapp_owner.stations WHERE login = session_user
$$;
CREATE FUNCTION tdapp_public.is_ending() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
  SELECT EXISTS (SELECT FROM tdapp_owner.ending WHERE since > now() - interval '1 minute')
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA tdapp, tdapp_owner, tdapp_public FROM PUBLIC;
