create table companies (
  id uuid primary key,
  name text not null,
  website text,
  description text,
  linked_in text,
  notes text not null,
  rating smallint not null check (rating between 1 and 10),
  -- Rights follow the account. The text is for records whose creator came with an import.
  creator_id uuid references accounts (id),
  creator_text text,
  additional_info text,
  -- Name and notes, folded by the server; what searches match.
  search_text text not null,
  version integer not null default 1,
  created_at timestamptz(3) not null default now()
);
create index companies_newest on companies (created_at desc, id desc);
create index companies_of_creator on companies (creator_id, created_at desc, id desc);
create index companies_of_creator_text on companies (lower(creator_text), created_at desc, id desc)
  where creator_id is null;
create index companies_search on companies using gin (search_text gin_trgm_ops);

alter table tallies add column companies bigint not null default 0;

create function tally_companies_added() returns trigger language plpgsql as $$
begin
  insert into tallies as tally (creator_id, creator_text, companies)
  select creator_id, creator_text, count(*) from added group by creator_id, creator_text
  on conflict (creator_id, creator_text) do update set companies = tally.companies + excluded.companies;
  return null;
end $$;

create function tally_companies_removed() returns trigger language plpgsql as $$
begin
  update tallies set companies = tallies.companies - gone.count
  from (select creator_id, creator_text, count(*) from removed group by creator_id, creator_text) gone
  where tallies.creator_id is not distinct from gone.creator_id
    and tallies.creator_text is not distinct from gone.creator_text;
  return null;
end $$;

create trigger companies_added after insert on companies
  referencing new table as added for each statement execute function tally_companies_added();
create trigger companies_removed after delete on companies
  referencing old table as removed for each statement execute function tally_companies_removed();
