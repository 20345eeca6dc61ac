-- What fellows write on a record, for all to see. A note belongs to one founder or one company.
create table notes (
  id uuid primary key,
  founder_id uuid references founders (id) on delete cascade,
  company_id uuid references companies (id) on delete cascade,
  author_id uuid not null references accounts (id),
  content text not null,
  created_at timestamptz(3) not null default now(),
  check (num_nonnulls(founder_id, company_id) = 1)
);
create index notes_of_founder on notes (founder_id, created_at desc, id desc) where founder_id is not null;
create index notes_of_company on notes (company_id, created_at desc, id desc) where company_id is not null;
create index notes_of_author on notes (author_id, created_at desc, id desc);
create index notes_on_founder_by on notes (author_id, founder_id) where founder_id is not null;
create index notes_on_company_by on notes (author_id, company_id) where company_id is not null;

-- Kept with the record as notes come and go, so that a list need not count.
alter table founders add column notes_count integer not null default 0;
alter table companies add column notes_count integer not null default 0;

create function count_notes_added() returns trigger language plpgsql as $$
begin
  update founders set notes_count = notes_count + more.count
  from (select founder_id, count(*) from added where founder_id is not null group by founder_id) more
  where founders.id = more.founder_id;
  update companies set notes_count = notes_count + more.count
  from (select company_id, count(*) from added where company_id is not null group by company_id) more
  where companies.id = more.company_id;
  return null;
end $$;

create function count_notes_removed() returns trigger language plpgsql as $$
begin
  update founders set notes_count = notes_count - gone.count
  from (select founder_id, count(*) from removed where founder_id is not null group by founder_id) gone
  where founders.id = gone.founder_id;
  update companies set notes_count = notes_count - gone.count
  from (select company_id, count(*) from removed where company_id is not null group by company_id) gone
  where companies.id = gone.company_id;
  return null;
end $$;

create trigger notes_added after insert on notes
  referencing new table as added for each statement execute function count_notes_added();
create trigger notes_removed after delete on notes
  referencing old table as removed for each statement execute function count_notes_removed();
