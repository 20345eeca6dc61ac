-- Lines of the ledger for changes of accounts, in the transaction of the change, whatever its origin. A new table of the access of
-- accounts gets its lines here.

-- One line for the access of an account, and one for its role, where they change.
create or replace function ledger_account() returns trigger language plpgsql as $$
declare
  was jsonb := to_jsonb(old);
  is_now jsonb := to_jsonb(new);
begin
  if ledger_access(was) <> ledger_access(is_now) then
    insert into ledger (kind, facts) values ('account', jsonb_build_object('account', new.id, 'state', ledger_access(is_now)));
  end if;
  if new.role <> old.role then
    insert into ledger (kind, facts) values ('account', jsonb_build_object(
      'account', new.id, 'state', case new.role when 'manager' then 'manager' else 'demoted' end));
  end if;
  return null;
end $$;

create or replace function ledger_access(account jsonb) returns text language sql immutable as $$
  select case
    when account ->> 'left_at' is not null then 'left'
    when account ->> 'disabled_at' is not null then 'disabled'
    else 'enabled'
  end
$$;

create or replace trigger accounts_ledger after update on accounts for each row execute function ledger_account();

-- A line for each password that is no longer valid. The first password of a new account replaces none.
create or replace function ledger_password() returns trigger language plpgsql as $$
declare
  one credentials := case when tg_op = 'DELETE' then old else new end;
  act text := case when tg_op = 'DELETE' then 'reset' else 'changed' end;
begin
  if one.provider <> 'credential' or (tg_op = 'UPDATE' and new.password is not distinct from old.password) then
    return null;
  end if;
  if tg_op = 'INSERT' and exists (select from accounts where id = one.account_id and created_at = now()::timestamptz(3)) then
    return null;
  end if;
  insert into ledger (kind, facts) values ('password', jsonb_build_object('account', one.account_id, 'act', act));
  return null;
end $$;

create or replace trigger credentials_ledger after insert or update or delete on credentials
  for each row execute function ledger_password();

-- Ends all tokens of an account.
create or replace function end_tokens(of_account uuid) returns void language sql as $$
  update access_tokens set ended_at = now(), hash = null where account_id = of_account and ended_at is null
$$;

-- Tokens end with the access of their account, whatever ends it.
create or replace function end_tokens_of_account() returns trigger language plpgsql as $$
begin
  perform end_tokens(new.id);
  return null;
end $$;

create or replace trigger accounts_end_tokens after update of disabled_at on accounts for each row
  when (new.disabled_at is not null and old.disabled_at is null) execute function end_tokens_of_account();

-- And with its password: one that was changed, or set or deleted by a link.
create or replace function end_tokens_of_password() returns trigger language plpgsql as $$
declare
  one credentials := case when tg_op = 'DELETE' then old else new end;
begin
  if one.provider = 'credential' and (tg_op <> 'UPDATE' or new.password is distinct from old.password) then
    perform end_tokens(one.account_id);
  end if;
  return null;
end $$;

create or replace trigger credentials_end_tokens after insert or update or delete on credentials
  for each row execute function end_tokens_of_password();

-- The end of a token ends its streams and calls in every process, and is a line of the ledger: a restore does not bring it back.
create or replace function end_token() returns trigger language plpgsql as $$
begin
  perform pg_notify('sessions', old.id::text);
  perform pg_notify('records', '{"kind":"people"}');
  insert into ledger (kind, facts) values ('token', jsonb_build_object('token', old.id));
  return null;
end $$;

create or replace trigger access_tokens_ended after update of ended_at on access_tokens for each row
  when (new.ended_at is not null and old.ended_at is null) execute function end_token();
create or replace trigger access_tokens_deleted after delete on access_tokens for each row
  when (old.ended_at is null) execute function end_token();
