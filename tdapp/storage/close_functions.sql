-- Advisory locks and large objects use memory and disk shared by all databases.
DO $$
DECLARE
  one regprocedure;
BEGIN
  FOR one IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
    AND proname ~ '^(pg_(try_)?advisory|lo_|loread|lowrite)' LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one);
  END LOOP;
END
$$;
