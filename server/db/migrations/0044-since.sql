-- *Since you were last here*. Accounts that are here already start with their last change, new ones with their sign-up.
alter table accounts add column counts_since timestamptz(3) not null default now();
update accounts set counts_since = updated_at;

-- Until when an account has seen what a number counts.
create table since_seen (
  account_id uuid not null references accounts (id) on delete cascade,
  key text not null,
  kind text not null,
  seen_until timestamptz(3) not null,
  primary key (account_id, key, kind)
);

-- A large import is no row in them.
create index founders_added_by_hand on records (created_at desc, id desc) where kind = 'founder' and not is_imported;
create index companies_added_by_hand on records (created_at desc, id desc) where kind = 'company' and not is_imported;
create index opinions_newest on opinions (kind, given_at desc);

-- Who has made whom responsible for a record last. Merges leave these rows where they are.
create table assignments (
  record_id uuid not null references records (id) on delete cascade,
  account_id uuid not null references accounts (id),
  assigned_by uuid references accounts (id),
  assigned_at timestamptz(3) not null default clock_timestamp(),
  primary key (record_id, account_id)
);
create index assignments_of_account on assignments (account_id, assigned_at desc);
