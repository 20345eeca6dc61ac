-- When a fellow who is no manager last changed the name or the query of a search. It leaves the channels that had it before.
alter table saved_searches add column fellow_changed_at timestamptz(3);

-- A chat that gets the Monday list and searches. `address` is encrypted. `next_at` is when a message is due, and while one is being
-- sent, when it is tried again.
create table channels (
  id uuid primary key,
  name text not null,
  kind text not null check (kind in ('slack', 'teams')),
  address text not null,
  masked_address text not null,
  added_by uuid not null references accounts (id),
  confirmed_by uuid not null references accounts (id),
  created_at timestamptz(3) not null default clock_timestamp(),
  next_at timestamptz(3) not null,
  last_sent_at timestamptz(3),
  last_failed_at timestamptz(3),
  last_status integer
);

-- The searches of a channel. What was before `seen_until` is in no message.
create table channel_searches (
  channel_id uuid not null references channels (id) on delete cascade,
  search_id uuid not null references saved_searches (id) on delete cascade,
  chosen_at timestamptz(3) not null default clock_timestamp(),
  seen_until timestamptz(3) not null,
  primary key (channel_id, search_id)
);
create index channel_searches_of_search on channel_searches (search_id);

-- A channel that was removed stays so after a restore.
alter table ledger drop constraint ledger_kind_check,
  add constraint ledger_kind_check check (kind in ('erased', 'key', 'account', 'password', 'fellow', 'digest', 'channel'));
