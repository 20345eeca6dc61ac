-- Finders, names to compare, pairs that may be one record, and merging.

-- What the wire shows of an account: its own id is no part of an answer.
alter table accounts add column public_id uuid not null default gen_random_uuid() unique;

-- A merged record keeps its row under a kind of its own, which no statement about founders or companies names, until the
-- merge is undone. It is deleted with its survivor.
alter table records
  add column merged_into uuid references records (id) on delete cascade,
  add column is_imported boolean not null default false,
  drop constraint records_kind_check,
  add check (kind in ('founder', 'company', 'merged-founder', 'merged-company')),
  add check ((kind like 'merged-%') = (merged_into is not null)),
  -- Imported founders may have no LinkedIn profile.
  drop constraint records_check,
  drop constraint records_check1,
  add check (kind in ('company', 'merged-company') or website is null),
  drop constraint records_check2,
  add check (kind in ('company', 'merged-company') or description is null);
create index records_merged on records (merged_into) where merged_into is not null;

-- Pictures stay under the id in their URL.
alter table pictures
  drop constraint pictures_record_id_kind_fkey,
  add foreign key (record_id, kind) references records (id, kind) on delete cascade on update cascade;

-- Who found a record after its creator, who is the first finder. A name without an account is from an import.
create table finders (
  record_id uuid not null references records (id) on delete cascade,
  account_id uuid references accounts (id),
  fellow_text text,
  found_at timestamptz(3) not null default now(),
  via text not null check (via in ('add', 'import', 'merge', 'self')),
  check ((account_id is null) <> (fellow_text is null)),
  unique nulls not distinct (record_id, account_id, fellow_text)
);

alter table record_members add column is_finder boolean not null default false;

create index founders_by_email on records (lower(additional_info ->> 'email'), created_at desc, id desc)
  where kind = 'founder' and lower(additional_info ->> 'email') is not null;

-- Pairs that may be one record, found after either of them has changed. A dismissed pair keeps the reasons that were known.
create table duplicate_pairs (
  a uuid not null references records (id) on delete cascade,
  b uuid not null references records (id) on delete cascade,
  kind text not null,
  reasons text[] not null,
  score smallint not null,
  dismissed text[],
  primary key (a, b),
  check (a < b)
);
create index duplicate_pairs_best on duplicate_pairs (kind, score desc, a desc, b desc) where dismissed is null;
create index duplicate_pairs_of_other on duplicate_pairs (b);

-- Records to compare with all others. Another change id means that the record has changed again.
create table duplicate_checks (
  record_id uuid primary key references records (id) on delete cascade,
  change_id uuid not null default gen_random_uuid()
);
insert into duplicate_checks (record_id) select id from records;

-- A merge, with what its undo needs: the survivor's fields that changed, as they were and as they became, and the moved notes.
-- It outlives both records, so that an undo can say why it is too late.
create table merges (
  id uuid primary key,
  kind text not null,
  survivor_id uuid not null,
  duplicate_id uuid not null,
  account_id uuid not null references accounts (id),
  before jsonb not null,
  after jsonb not null,
  note_ids uuid[] not null,
  -- The duplicate was found first, so both rows have swapped their creators.
  swaps_finder boolean not null,
  merged_at timestamptz(3) not null default clock_timestamp(),
  undone_at timestamptz(3)
);
create index merges_of_survivor on merges (survivor_id, merged_at desc) where undone_at is null;
