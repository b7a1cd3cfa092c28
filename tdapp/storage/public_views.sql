-- Conditions of a query are not computed for hidden rows.
DO $$
DECLARE
  one regclass;
BEGIN
  FOR one IN SELECT oid FROM pg_class WHERE relnamespace = 'tdapp_public'::regnamespace AND relkind = 'v' LOOP
    EXECUTE format('ALTER VIEW %s SET (security_barrier)', one);
  END LOOP;
END
$$;
