create table ledger (
  id uuid primary key default gen_random_uuid(),
  at timestamptz(3) not null default clock_timestamp(),
  kind text not null check (kind in ('erased', 'account', 'password')),
  facts jsonb not null
);

create index ledger_newest on ledger (at);
