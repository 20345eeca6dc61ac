-- Everything that the product keeps. A fresh database begins here. Later migrations add to this file's tables in files of
-- their own.

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

-- The mailbox that most mail systems deliver to: without the tag, and without the dots before the @.
create function plain_address(email text) returns text language sql immutable strict parallel safe
return replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@' || split_part(lower(email), '@', 2);

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

-- The id for a new row, called by the statement that inserts it, so that both are kept or neither. Of simultaneous
-- requests with one key the others wait here for the first. PS001: the key is taken.
create function claim_idempotency_key(account_id uuid, key text, fingerprint text, id uuid) returns uuid language plpgsql as $$
#variable_conflict use_variable
begin
  insert into idempotency_keys as known (account_id, key, fingerprint, made_id) values (account_id, key, fingerprint, id)
  on conflict on constraint idempotency_keys_pkey do update
    set fingerprint = excluded.fingerprint, made_id = excluded.made_id, made_at = excluded.made_at
    where known.made_at < now() - interval '24 hours';
  if not found then
    raise exception 'This key was used before' using errcode = 'PS001';
  end if;
  return id;
end $$;

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
-- A search leaves the planner nothing to choose, and reading statistics of grams took longer than many a search.
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

-- Each text is kept as its grams of four characters, shorter ones at its end, so that an index finds any part of it: four
-- characters and more by their grams, fewer by the grams that begin with them. pg_trgm finds neither two letters nor
-- characters that the database's locale takes for no letters.
create function search_grams(search_text text) returns tsvector language sql immutable as $$
  select array_to_tsvector(array(
    select concat(a, b, c, d) from unnest(letters, letters[2:], letters[3:], letters[4:]) as grams (a, b, c, d)
  ))
  from (select string_to_array(search_text, null) as letters) text
$$;

create function set_search_grams() returns trigger language plpgsql as $$
begin
  new.search_grams := search_grams(new.search_text);
  return new;
end $$;

create trigger records_search_grams before insert or update of search_text on records
  for each row execute function set_search_grams();

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

-- The account that a record belongs to: its creator, or for an imported one the account with that verified address.
create function owner_of(creator_id uuid, creator_text text) returns uuid language sql stable as $$
  select coalesce(creator_id, (
    select id from accounts where creator_text is not null and email = lower(creator_text) and email_verified
  ))
$$;

-- Rows are locked in one order wherever several are counted: the record, its members, then counters by account.

create function count_records() returns trigger language plpgsql as $$
begin
  insert into counters as counter (creator_id, creator_text, kind, added)
  select creator_id, creator_text, kind, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by creator_id, creator_text, kind order by creator_id, creator_text
  on conflict (creator_id, creator_text, kind) do update set added = counter.added + excluded.added;
  if tg_op = 'INSERT' then
    insert into record_members (record_id, kind, account_id, created_at, is_owner)
    select id, kind, owner_of(creator_id, creator_text), created_at, true from changed
    where owner_of(creator_id, creator_text) is not null;
  end if;
  return null;
end $$;

create trigger records_counted after insert on records
  referencing new table as changed for each statement execute function count_records();
create trigger records_uncounted after delete on records
  referencing old table as changed for each statement execute function count_records();

create function count_members() returns trigger language plpgsql as $$
begin
  insert into counters as counter (creator_id, kind, mine)
  select account_id, kind, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed group by account_id, kind order by account_id
  on conflict (creator_id, creator_text, kind) do update set mine = counter.mine + excluded.mine;
  return null;
end $$;

create trigger record_members_counted after insert on record_members
  referencing new table as changed for each statement execute function count_members();
create trigger record_members_uncounted after delete on record_members
  referencing old table as changed for each statement execute function count_members();

-- The notes and members of a deleted record go with it, all at once: nothing is counted on it then.
create function count_notes() returns trigger language plpgsql as $$
begin
  update records set notes_count = notes_count + counted.notes
  from (
    select record_id, case tg_op when 'INSERT' then count(*) else -count(*) end as notes from changed group by record_id
  ) counted
  where records.id = counted.record_id;
  insert into record_members as member (record_id, kind, account_id, created_at, notes_count)
  select records.id, records.kind, author_id, records.created_at, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed join records on records.id = record_id
  group by records.id, author_id order by records.id, author_id
  on conflict (record_id, account_id) do update set notes_count = member.notes_count + excluded.notes_count;
  if tg_op = 'DELETE' then
    delete from record_members member using changed
    where member.record_id = changed.record_id and member.account_id = changed.author_id
      and member.notes_count = 0 and not member.is_owner;
  end if;
  return null;
end $$;

create trigger notes_counted after insert on notes
  referencing new table as changed for each statement execute function count_notes();
create trigger notes_uncounted after delete on notes
  referencing old table as changed for each statement execute function count_notes();

-- A deletion counts down for every member. It locks all of their counters first, so that two deletions never wait for
-- each other.
create function lock_counters() returns trigger language plpgsql as $$
begin
  perform from records where id = old.id for update;
  perform from counters
  where kind = old.kind and (
    creator_id in (select account_id from record_members where record_id = old.id)
    or (creator_id is not distinct from old.creator_id and creator_text is not distinct from old.creator_text)
  )
  order by creator_id, creator_text for update;
  return old;
end $$;

create trigger records_lock_counters before delete on records for each row execute function lock_counters();

create function move_members() returns trigger language plpgsql as $$
begin
  update record_members set created_at = new.created_at where record_id = new.id;
  return null;
end $$;

create trigger records_moved after update of created_at on records for each row
  when (old.created_at <> new.created_at) execute function move_members();

-- Records imported under an address become its account's once the address is verified.
create function claim_records() returns trigger language plpgsql as $$
begin
  insert into record_members (record_id, kind, account_id, created_at, is_owner)
  select id, kind, new.id, created_at, true from records where creator_id is null and lower(creator_text) = new.email
  on conflict (record_id, account_id) do update set is_owner = true;
  return null;
end $$;

create trigger accounts_verified after insert or update of email_verified on accounts for each row
  when (new.email_verified) execute function claim_records();

-- Recomputes everything that is derived from records and notes. Called after a load with triggers off.
create function rebuild_derived() returns void language plpgsql as $$
begin
  update records set notes_count = counted.notes
  from (
    select records.id, count(notes.id) as notes from records left join notes on notes.record_id = records.id group by records.id
  ) counted
  where records.id = counted.id and notes_count <> counted.notes;

  delete from record_members;
  delete from counters;
  insert into counters (creator_id, creator_text, kind, added)
  select creator_id, creator_text, kind, count(*) from records group by creator_id, creator_text, kind;
  insert into record_members (record_id, kind, account_id, created_at, is_owner, notes_count)
  select id, kind, account_id, created_at, bool_or(is_owner), sum(notes)
  from (
    select id, kind, owner_of(creator_id, creator_text) as account_id, created_at, true as is_owner, 0 as notes from records
    union all
    select records.id, records.kind, author_id, records.created_at, false, 1
    from notes join records on records.id = record_id
  ) members
  where account_id is not null
  group by id, kind, account_id, created_at;
end $$;

-- Every process is notified of a change when it commits, whichever way it came. Only kind and id are sent; each reader asks
-- with its own rights. Of many rows only their kind is sent; identical notifications of one transaction are one.
create function notify_record_change() returns trigger language plpgsql as $$
declare
  first_rows jsonb[] := array(select to_jsonb(one) from changed one limit 21);
begin
  if cardinality(first_rows) > 20 then
    perform pg_notify('records', json_build_object('kind', kind, 'change', tg_argv[0])::text)
    from (select distinct kind from changed) kinds;
  else
    perform pg_notify('records', json_build_object(
      'kind', one ->> 'kind', 'change', tg_argv[0], 'id', coalesce(one ->> 'record_id', one ->> 'id')
    )::text) from unnest(first_rows) one;
  end if;
  return null;
end $$;

create trigger records_notify_created after insert on records
  referencing new table as changed for each statement execute function notify_record_change('created');
create trigger records_notify_deleted after delete on records
  referencing old table as changed for each statement execute function notify_record_change('deleted');
create trigger notes_notify_added after insert on notes
  referencing new table as changed for each statement execute function notify_record_change('notes');
create trigger notes_notify_deleted after delete on notes
  referencing old table as changed for each statement execute function notify_record_change('notes');

create function notify_record_update() returns trigger language plpgsql as $$
begin
  perform pg_notify('records', json_build_object('kind', new.kind, 'change', 'updated', 'id', new.id)::text);
  return null;
end $$;

create trigger records_notify_updated after update of version, additional_info, enrichment on records for each row
  when (old.version <> new.version or old.additional_info is distinct from new.additional_info
    or old.enrichment <> new.enrichment)
  execute function notify_record_update();

-- A session that ends takes its live streams along, in every process.
create function notify_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('sessions', id::text) from changed;
  return null;
end $$;

create trigger sessions_notify_ended after delete on sessions
  referencing old table as changed for each statement execute function notify_session_end();

-- Who did what, when, to what, from where, before and after. It only grows, and its rows outlive accounts and records.

-- The embedded database's clock has milliseconds only; a rising number keeps rows of one millisecond in order.
create sequence audit_order;

-- A UUID of version 7: milliseconds, microseconds, the rising number, then chance. PostgreSQL has none before 18.
create function audit_id(moment timestamptz) returns uuid language plpgsql volatile as $$
begin
  return encode(
    substring(int8send(floor(extract(epoch from moment) * 1000)::int8) from 3)
    || substring(int8send(28672 + floor((extract(epoch from moment) * 1000 % 1) * 4096)::int8) from 7)
    || substring(int8send(2147483648 + nextval('audit_order') % 1073741824) from 5)
    || substring(uuid_send(gen_random_uuid()) from 13),
    'hex'
  )::uuid;
end $$;

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

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'The audit log is permanent: it cannot be changed or removed' using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_is_permanent before update or delete or truncate on audit_log
  for each statement execute function refuse_audit_change();

-- The watched columns of a row by their names on the wire, without empty ones, and what enrichment found.
create function audit_facts(entity jsonb, watched text[]) returns jsonb language plpgsql immutable as $$
begin
  return case when jsonb_typeof(entity -> 'additional_info') = 'object' then entity -> 'additional_info' else '{}' end || (
    select coalesce(jsonb_object_agg(lower(left(name, 1)) || substr(name, 2), value), '{}')
    from (
      select replace(initcap(replace(key, '_', ' ') collate "C"), ' ', '') as name, value
      from jsonb_each(entity) where key = any (watched) and value <> 'null'
    ) named
  );
end $$;

-- The fields of one that differ from the other; null when there are none.
create function audit_difference(one jsonb, other jsonb) returns jsonb language plpgsql immutable as $$
begin
  return (select jsonb_object_agg(key, value) from jsonb_each(one) where value is distinct from other -> key);
end $$;

-- One row for each change of a record or a note; the arguments are the watched columns. A note stands in the log of its
-- record. The actor is set at the start of the transaction (sourcebook.actor); without one the change was made at the
-- database itself, and the database user is kept.
create function audit_change() returns trigger language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
  action text := case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end;
  entity jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  was jsonb := case when tg_op <> 'INSERT' then audit_facts(to_jsonb(old), tg_argv) end;
  is_now jsonb := case when tg_op <> 'DELETE' then audit_facts(entity, tg_argv) end;
  before jsonb := was;
  after jsonb := is_now;
  detail jsonb;
begin
  if tg_table_name = 'notes' then
    action := case tg_op when 'INSERT' then 'add' else action end || '-note';
    if tg_op = 'DELETE' and not exists (select from records where id = (entity ->> 'record_id')::uuid) then
      detail := '{"with": "its record"}';
    end if;
  elsif tg_op = 'UPDATE' then
    before := audit_difference(was, is_now);
    after := audit_difference(is_now, was);
    if new.enrichment -> 'last' is distinct from old.enrichment -> 'last' then
      action := 'enrich';
      detail := jsonb_strip_nulls(jsonb_build_object(
        'providers', (
          select jsonb_object_agg(key, new.enrichment #> array['sources', key, 'provider'])
          from jsonb_object_keys(coalesce(after, '{}')) key
        ),
        'notice', new.enrichment #> '{last,notice}',
        -- What was found by hints may not be of the record's own keys.
        'hints', new.enrichment #> '{last,hints}'
      ));
    elsif before is null and after is null and new.version = old.version then
      return null;
    end if;
  end if;
  if actor is null then
    detail := coalesce(detail, '{}') || jsonb_build_object('databaseUser', session_user);
  end if;
  insert into audit_log (account_id, account_email, ip, request_id, action, kind, object_id, before, after, detail)
  values (
    (actor ->> 'id')::uuid, actor ->> 'email', actor ->> 'ip', actor ->> 'requestId', action, entity ->> 'kind',
    coalesce(entity ->> 'record_id', entity ->> 'id')::uuid, before, after, detail
  );
  return null;
end $$;

create trigger records_audited
  after insert or delete or update of name, linked_in, website, description, notes, rating, creator_id, creator_text,
    created_at, additional_info, enrichment, version on records
  for each row execute function audit_change('name', 'linked_in', 'website', 'description', 'notes', 'rating', 'creator_id',
    'creator_text', 'created_at');
create trigger notes_audited after insert or update or delete on notes
  for each row execute function audit_change('id', 'author_id', 'content');

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
