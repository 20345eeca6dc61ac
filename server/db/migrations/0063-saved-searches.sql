-- Lists of one kind under a name. The query has the values of the list's parameters by their names, as texts.
create table saved_searches (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  kind text not null,
  name text not null,
  about text not null default '',
  query jsonb not null,
  is_shared boolean not null,
  is_pinned boolean not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index saved_searches_of_account on saved_searches (account_id);
create index saved_searches_shared on saved_searches (created_at, id) where is_shared;

-- Until when an account has seen what is new and changed in a search that it watches.
create table search_watches (
  account_id uuid not null references accounts (id) on delete cascade,
  search_id uuid not null references saved_searches (id) on delete cascade,
  seen_until timestamptz(3) not null,
  primary key (account_id, search_id)
);
create index search_watches_of_search on search_watches (search_id);
