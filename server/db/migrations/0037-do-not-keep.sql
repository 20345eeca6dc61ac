-- Addresses of erased people, as keyed hashes. The key is a line of the ledger.
alter table ledger
  drop constraint ledger_kind_check,
  add constraint ledger_kind_check check (kind in ('erased', 'account', 'password', 'key', 'fellow'));
create index ledger_keys on ledger (at) where kind = 'key';

create table do_not_keep (
  hash text primary key,
  erasure_id uuid not null
);

-- The addresses of the list that a manager keeps on a record nevertheless.
create table overrules (
  record_id uuid not null,
  kind text not null,
  hash text not null,
  primary key (record_id, hash),
  foreign key (record_id, kind) references records (id, kind) on delete cascade on update cascade
);

-- A row of a file that was refused for such an address has no values.
alter table import_rows add column is_withheld boolean not null default false;

-- An erased account has no address. Its number is part of its name.
alter table accounts
  add column former_number integer unique,
  add column plain_hash text,
  drop constraint accounts_email_key,
  add constraint accounts_email_check check ((email = '') = (former_number is not null));
create unique index accounts_email_key on accounts (email) where former_number is null;
create index accounts_by_email on accounts (email);
create index accounts_by_plain_hash on accounts (plain_hash) where plain_hash is not null;

drop function if exists empty_audit_entries(uuid[], timestamptz[], boolean);
