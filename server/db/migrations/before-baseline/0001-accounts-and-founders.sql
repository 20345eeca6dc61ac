create extension if not exists pg_trgm;

-- Made once and shared by every process on this database, such as the secret that signs cookies.
create table settings (
  key text primary key,
  value text not null
);

create table accounts (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

-- The token is stored as its SHA-256: who reads the database can sign in as nobody.
create table sessions (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz(3) not null,
  ip_address text,
  user_agent text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index sessions_of_account on sessions (account_id);
create index sessions_by_expiry on sessions (expires_at);

-- The ways into an account: a password, later a single sign-on.
create table credentials (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  provider text not null,
  provider_account text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz(3),
  refresh_token_expires_at timestamptz(3),
  scope text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (provider, provider_account)
);
create index credentials_of_account on credentials (account_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index verifications_by_identifier on verifications (identifier);

-- Tries that are counted: wrong passwords, and questions whether an address has an account.
create table tries (
  key text primary key,
  count integer not null,
  blocked_until timestamptz(3),
  forget_at timestamptz(3) not null
);

create table founders (
  id uuid primary key,
  name text not null,
  linked_in text not null,
  notes text not null,
  rating smallint not null check (rating between 1 and 10),
  -- Rights follow the account. The text is for records whose creator came with an import.
  creator_id uuid references accounts (id),
  creator_text text,
  additional_info text,
  -- Name, notes and current company, folded by the server; what searches match.
  search_text text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now()
);
create index founders_newest on founders (created_at desc, id desc);
create index founders_of_creator on founders (creator_id, created_at desc, id desc);
create index founders_of_creator_text on founders (lower(creator_text), created_at desc, id desc)
  where creator_id is null;
create index founders_search on founders using gin (search_text gin_trgm_ops);

-- How many records each creator has sourced, kept as they come and go, so that totals and the dashboard cost the
-- same however large the tables are.
create table tallies (
  creator_id uuid references accounts (id),
  creator_text text,
  founders bigint not null default 0,
  unique nulls not distinct (creator_id, creator_text)
);

create function tally_founders_added() returns trigger language plpgsql as $$
begin
  insert into tallies as tally (creator_id, creator_text, founders)
  select creator_id, creator_text, count(*) from added group by creator_id, creator_text
  on conflict (creator_id, creator_text) do update set founders = tally.founders + excluded.founders;
  return null;
end $$;

create function tally_founders_removed() returns trigger language plpgsql as $$
begin
  update tallies set founders = tallies.founders - gone.count
  from (select creator_id, creator_text, count(*) from removed group by creator_id, creator_text) gone
  where tallies.creator_id is not distinct from gone.creator_id
    and tallies.creator_text is not distinct from gone.creator_text;
  return null;
end $$;

create trigger founders_added after insert on founders
  referencing new table as added for each statement execute function tally_founders_added();
create trigger founders_removed after delete on founders
  referencing old table as removed for each statement execute function tally_founders_removed();
