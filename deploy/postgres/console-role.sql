-- The console's own role, which can access the sessions of the console and nothing else.
-- Run this once, after the first start of a release that has the table:
--   psql -d gateway -f console-role.sql -c '\password gateway_console'
do $$ begin
  if not exists (select from pg_roles where rolname = 'gateway_console') then
    create role gateway_console login;
  end if;
  grant usage on schema public to gateway_console;
  grant select, insert, update, delete on console_sessions to gateway_console;
end $$;
