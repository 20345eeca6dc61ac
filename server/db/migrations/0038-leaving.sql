-- An account that has left is disabled too. Browsers that were known before `devices_ended_at` are strangers. The owner has read
-- which changes others made to the account until `notices_seen_at`.
alter table accounts
  add column left_at timestamptz(3),
  add column devices_ended_at timestamptz(3),
  add column notices_seen_at timestamptz(3) not null default now(),
  add constraint accounts_left_check check (left_at is null or disabled_at is not null);
-- From the data alone, so that a restored backup has the same.
update accounts set notices_seen_at = updated_at;

-- The address that a link gives the account.
alter table one_time_tokens add column email text;
