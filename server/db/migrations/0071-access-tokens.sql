-- Tokens of programs that act for a fellow. `hash` is that of the token, and empty once it has ended. What has ended stays until its
-- account is erased: an erasure lists the tokens that were in use since.
create table access_tokens (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  hash text unique,
  last_four text not null,
  can_export boolean not null,
  can_write boolean not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  last_network text,
  ended_at timestamptz(3),
  check ((hash is null) = (ended_at is not null))
);
create index access_tokens_of_account on access_tokens (account_id);

-- The records that tokens without the right to export have read for an account, by hour.
create table token_reads (
  account_id uuid not null references accounts (id),
  hour timestamptz(0) not null,
  count integer not null,
  primary key (account_id, hour)
);

-- The token by which something was done. Its name is where the token is.
alter table audit_log add column token_id uuid;
-- The token by which a file was uploaded: its rows have the rights of the token.
alter table imports add column token_id uuid;

-- A token that has ended stays so after a restore.
alter table ledger drop constraint ledger_kind_check,
  add constraint ledger_kind_check check (kind in ('erased', 'key', 'account', 'password', 'fellow', 'digest', 'channel', 'token'));
