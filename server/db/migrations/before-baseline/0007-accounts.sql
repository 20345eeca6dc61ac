-- Accounts that can be trusted: addresses proven by mail, a second factor, single sign-on, and an end to an account.
alter table accounts add column disabled_at timestamptz(3);

-- Made for a library that has gone; no row was ever kept here.
drop table verifications;

-- What lets somebody come back once: the link of a mail or of the operator, the first half of a sign-in. Hashes only.
create table one_time_tokens (
  hash text primary key,
  purpose text not null,
  account_id uuid not null references accounts (id) on delete cascade,
  expires_at timestamptz(3) not null
);
create index one_time_tokens_of_account on one_time_tokens (account_id);

-- An authenticator app. Its secret is sealed by the server's; each code counts once, so the last step is remembered.
create table two_factors (
  account_id uuid primary key references accounts (id) on delete cascade,
  secret text not null,
  last_step bigint not null default 0,
  confirmed_at timestamptz(3)
);

create table recovery_codes (
  account_id uuid not null references two_factors (account_id) on delete cascade,
  hash text not null,
  primary key (account_id, hash)
);
