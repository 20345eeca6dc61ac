-- A line of the ledger where a fellow gets mail from now on, or none any more: a restore does not begin it again.
create or replace function ledger_digest() returns trigger language plpgsql as $$
begin
  insert into ledger (kind, facts) values ('digest', jsonb_build_object(
    'account', new.account_id, 'state', case new.rhythm when 'off' then 'off' else 'on' end));
  return null;
end $$;

create or replace trigger digests_ledger after update of rhythm on digests for each row
  when ((old.rhythm = 'off') <> (new.rhythm = 'off')) execute function ledger_digest();
create or replace trigger digests_ledger_at_first after insert on digests for each row
  when (new.rhythm <> 'off') execute function ledger_digest();

-- Mail to an account that is disabled or has left stops, until its owner chooses it again.
create or replace function stop_digest() returns trigger language plpgsql as $$
begin
  update digests set rhythm = 'off', next_at = null where account_id = new.id and rhythm <> 'off';
  return null;
end $$;

create or replace trigger accounts_stop_digest after update of disabled_at on accounts for each row
  when (new.disabled_at is not null and old.disabled_at is null) execute function stop_digest();

-- A line of the ledger for a channel or a webhook that was removed: a restore does not bring it back. The argument is its kind.
create or replace function ledger_way_out() returns trigger language plpgsql as $$
begin
  insert into ledger (kind, facts) values (tg_argv[0], jsonb_build_object(tg_argv[0], old.id));
  return null;
end $$;

create or replace trigger channels_ledger after delete on channels for each row execute function ledger_way_out('channel');
create or replace trigger webhooks_ledger after delete on webhooks for each row execute function ledger_way_out('webhook');
