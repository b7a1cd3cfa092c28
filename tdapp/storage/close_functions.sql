-- Advisory locks, large objects and messages in the recovery log use memory and disk shared by all databases.
DO $$
DECLARE
  one regprocedure;
BEGIN
  FOR one IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
    AND proname ~ '^(pg_(try_)?advisory|pg_logical_emit_message|lo_|loread|lowrite)' LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one);
  END LOOP;
END
$$;
