-- All tables of the first schema. A fresh database begins here, and later migrations change these tables. Functions and
-- triggers are in ../functions/.

-- Shared by every process on this database, such as the secret that signs cookies.
create table settings (
  key text primary key,
  value text not null
);

create table accounts (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  disabled_at timestamptz(3),
  role text not null default 'fellow' check (role in ('fellow', 'manager')),
  -- Waits for approval since then.
  pending_since timestamptz(3),
  -- On a disabled account: other spellings of its address may sign up all the same.
  readmitted_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create index accounts_disabled on accounts (plain_address(email)) where disabled_at is not null;

-- Tokens are stored as SHA-256, so a database leak exposes no usable session.
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

-- The ways into an account: a password, single sign-on.
create table credentials (
  id uuid primary key,
  account_id uuid not null references accounts (id) on delete cascade,
  provider text not null,
  provider_account text not null,
  password text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  unique (provider, provider_account)
);
create index credentials_of_account on credentials (account_id);

-- The link of a mail or of the operator, the first half of a sign-in. Hashes only.
create table one_time_tokens (
  hash text primary key,
  purpose text not null,
  account_id uuid not null references accounts (id) on delete cascade,
  expires_at timestamptz(3) not null
);
create index one_time_tokens_of_account on one_time_tokens (account_id);

-- Used up by the sign-up that they let in. Hashes only.
create table invitations (
  id uuid primary key,
  hash text not null unique,
  -- Null: the link is for any address that may join.
  email text,
  expires_at timestamptz(3) not null
);

-- An authenticator app. Its secret is encrypted by the server's; each code counts once, so the last step is kept.
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

-- Counted for throttling: wrong passwords and codes, questions whether an address has an account, mails.
create table attempts (
  key text primary key,
  count integer not null,
  blocked_until timestamptz(3),
  forget_at timestamptz(3) not null
);

-- What requests with an idempotency key have made, so that a repeated one makes nothing twice. Deleted after a day.
create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  -- Of everything the request asked for: the same key with other content is a mistake.
  fingerprint text not null,
  made_id uuid not null,
  made_at timestamptz(3) not null default now(),
  primary key (account_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (made_at);

-- Records of every kind. Statements name the kind as a literal: a parameter meets no partial index under a generic plan.
create table records (
  id uuid primary key,
  kind text not null check (kind in ('founder', 'company')),
  name text not null,
  linked_in text check (kind <> 'founder' or linked_in is not null),
  website text check (kind = 'company' or website is null),
  description text check (kind = 'company' or description is null),
  notes text not null,
  rating smallint not null check (rating between 1 and 10),
  -- Rights follow the account. The text is for imported records whose creator has no verified account here.
  creator_id uuid references accounts (id),
  creator_text text,
  -- What enrichment found, by its names on the wire.
  additional_info jsonb,
  -- The state of the record's runs: who gave which field and when, whether a run is under way, how the last one ended.
  enrichment jsonb not null default '{}',
  enriched_at timestamptz(3) not null default now(),
  -- Normalised addresses, for comparing.
  linked_in_key text,
  domain_key text,
  -- The kind's searched fields, folded by the server, and their grams. Only the index reads grams, so they are stored
  -- apart from the row, uncompressed.
  search_text text not null,
  search_grams tsvector not null default '',
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  notes_count integer not null default 0,
  -- What belongs to a record names its kind too, so that a record of one kind is never found as another.
  unique (id, kind)
);
alter table records alter column search_grams set storage external;
-- Search plans are fixed; reading gram statistics costs 0.5 ms a statement.
alter table records alter column search_grams set statistics 0;

create index founders_newest on records (created_at desc, id desc) where kind = 'founder';
create index companies_newest on records (created_at desc, id desc) where kind = 'company';
-- Every search also reads the list of pending entries, so it is kept short.
create index founders_search on records using gin (search_grams) with (gin_pending_list_limit = 256) where kind = 'founder';
create index companies_search on records using gin (search_grams) with (gin_pending_list_limit = 256) where kind = 'company';
create index founders_by_linked_in on records (linked_in_key, created_at desc, id desc)
  where kind = 'founder' and linked_in_key is not null;
create index companies_by_domain on records (domain_key, created_at desc, id desc)
  where kind = 'company' and domain_key is not null;
create index records_by_enriched_at on records (kind, enriched_at);
create index records_of_creator_text on records (lower(creator_text)) where creator_id is null;

-- What fellows write on a record.
create table notes (
  id uuid primary key,
  record_id uuid not null,
  kind text not null,
  author_id uuid not null references accounts (id),
  content text not null,
  created_at timestamptz(3) not null default now(),
  foreign key (record_id, kind) references records (id, kind) on delete cascade
);
create index notes_of_record on notes (record_id, created_at desc, id desc);
create index notes_of_author on notes (author_id, created_at desc, id desc);

-- Re-encoded to the sizes shown; the provider's own file is not kept.
create table pictures (
  record_id uuid not null,
  kind text not null,
  size smallint not null,
  bytes bytea not null,
  fetched_at timestamptz(3) not null,
  primary key (record_id, size),
  foreign key (record_id, kind) references records (id, kind) on delete cascade
);

-- Providers that every process leaves alone for a while: out of credits, asked too often, or refusing the key.
create table provider_cooldowns (
  provider text primary key,
  reason text not null,
  until timestamptz(3) not null
);

-- My Records: whose a record is, and who has noted it. The time is the record's own, so that one index serves the list.
create table record_members (
  record_id uuid not null,
  kind text not null,
  account_id uuid not null references accounts (id),
  created_at timestamptz(3) not null,
  is_owner boolean not null default false,
  notes_count integer not null default 0,
  primary key (record_id, account_id),
  foreign key (record_id, kind) references records (id, kind) on delete cascade
);
create index record_members_newest on record_members (account_id, kind, created_at desc, record_id desc);

-- How many records of a kind each creator has added, and how many My Records shows each account, so that totals and the
-- dashboard cost the same however large the tables are.
create table counters (
  creator_id uuid references accounts (id),
  creator_text text,
  kind text not null,
  added bigint not null default 0,
  mine bigint not null default 0,
  unique nulls not distinct (creator_id, creator_text, kind)
);

-- The embedded database's clock has milliseconds only; a rising number keeps rows of one millisecond in order.
create sequence audit_order;

-- Who did what, when, to what, from where, before and after. It only grows, and its rows outlive accounts and records.
create table audit_log (
  id uuid not null default audit_id(clock_timestamp()),
  at timestamptz(3) not null default clock_timestamp(),
  -- As they were then. Null for what the product does by itself, and for requests without a session.
  account_id uuid,
  account_email text,
  ip text,
  request_id text,
  action text not null,
  kind text,
  object_id uuid,
  result text not null default 'done' check (result in ('done', 'refused')),
  -- What differs, by field; everything where something came or went.
  before jsonb,
  after jsonb,
  detail jsonb,
  primary key (at, id)
);
create index audit_log_of_object on audit_log (object_id, at desc, id desc) where object_id is not null;
create index audit_log_of_person on audit_log (account_email, at desc, id desc) where account_email is not null;
create index audit_log_of_action on audit_log (action, at desc, id desc);

-- What visitors who are not signed in were denied. Anyone can cause these rows, and they hold the addresses of strangers, so
-- they are no part of the audit log and are deleted after a while.
create table denied_requests (
  id uuid not null default audit_id(clock_timestamp()),
  at timestamptz(3) not null default clock_timestamp(),
  -- As it was typed; it may be of no account.
  account_email text,
  ip text,
  request_id text,
  action text not null,
  kind text,
  object_id uuid,
  detail jsonb,
  primary key (at, id)
);
create index denied_requests_of_object on denied_requests (object_id, at desc, id desc) where object_id is not null;
create index denied_requests_of_person on denied_requests (account_email, at desc, id desc) where account_email is not null;
create index denied_requests_of_action on denied_requests (action, at desc, id desc);
