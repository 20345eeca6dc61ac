-- An address that is rung when there is something new in the feed. `address` and `secret` are encrypted. `cursor` is the end of the
-- feed at the last ring that arrived. `next_at` is when it may be rung again, and while it is being rung, when it is tried again.
create table webhooks (
  id uuid primary key,
  address text not null,
  masked_address text not null,
  secret text not null,
  cursor text not null,
  added_by uuid not null references accounts (id),
  confirmed_by uuid not null references accounts (id),
  created_at timestamptz(3) not null default clock_timestamp(),
  next_at timestamptz(3) not null default clock_timestamp(),
  last_sent_at timestamptz(3),
  -- Since the last ring that arrived.
  failures integer not null default 0,
  failing_since timestamptz(3),
  last_status integer,
  -- After too long without an answer.
  off_at timestamptz(3)
);

-- A webhook that was removed stays so after a restore.
alter table ledger drop constraint ledger_kind_check,
  add constraint ledger_kind_check
  check (kind in ('erased', 'key', 'account', 'password', 'fellow', 'digest', 'channel', 'token', 'webhook'));
-- One function writes the lines of both.
drop function if exists ledger_channel() cascade;
