-- Second opinions. A merge may bring several opinions of one fellow together, so that its undo can move them back; readers see
-- the newest of a fellow. Changes lock the record.
create table opinions (
  id uuid primary key,
  record_id uuid not null,
  kind text not null,
  account_id uuid not null references accounts (id),
  rating smallint not null check (rating between 1 and 10),
  comment text not null default '',
  is_after_reading boolean not null,
  given_at timestamptz(3) not null default clock_timestamp(),
  changed_at timestamptz(3),
  foreign key (record_id, kind) references records (id, kind) on update cascade on delete cascade
);
create index opinions_of_record on opinions (record_id, account_id, given_at desc, id desc);

-- Who could read the opinions on a record, once. Merges leave these rows where they are: a reading of a record that unites
-- several has a row for each of them.
create table opinion_readings (
  record_id uuid not null references records (id) on delete cascade,
  account_id uuid not null references accounts (id),
  read_at timestamptz(3) not null default clock_timestamp(),
  primary key (record_id, account_id)
);

-- Whose opinions a manager has revealed to everyone, in the same way.
create table opinion_reveals (
  record_id uuid primary key references records (id) on delete cascade,
  account_id uuid not null references accounts (id),
  revealed_at timestamptz(3) not null default clock_timestamp()
);

alter table records add column has_opinions boolean not null default false;
create index founders_with_opinions on records (created_at desc, id desc) where kind = 'founder' and has_opinions;
create index companies_with_opinions on records (created_at desc, id desc) where kind = 'company' and has_opinions;
