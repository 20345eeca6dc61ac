-- What keeps lists, searches and counts at their price while the tables grow.

-- Searches. Each text is kept as its runs of four characters, shorter ones at its end, so that an index answers for any
-- part of it: four characters and more by all of their runs, fewer by the runs that begin with them. Trigrams could do
-- neither two letters nor characters that the database's locale takes for no letters. The week, counted from 1970, is
-- there as well, so that the same index can be asked about some weeks only.
create function search_grams(search_text text, created_at timestamptz) returns tsvector language sql stable as $$
  select array_to_tsvector(
    array(select concat(a, b, c, d) from unnest(letters, letters[2:], letters[3:], letters[4:]) as runs (a, b, c, d))
    || (E'\x1f' || floor(extract(epoch from created_at) / 604800))
  )
  from (select string_to_array(search_text, null) as letters) text
$$;

create function keep_search_grams() returns trigger language plpgsql as $$
begin
  new.search_grams := search_grams(new.search_text, new.created_at);
  return new;
end $$;

alter table founders add column search_grams tsvector not null default '';
alter table companies add column search_grams tsvector not null default '';
-- Only the index reads them: they are kept apart from the rows, as they are.
alter table founders alter column search_grams set storage external;
alter table companies alter column search_grams set storage external;
create trigger founders_keep_search_grams before insert or update of search_text, created_at on founders
  for each row execute function keep_search_grams();
create trigger companies_keep_search_grams before insert or update of search_text, created_at on companies
  for each row execute function keep_search_grams();

update founders set search_text = search_text;
update companies set search_text = search_text;

drop index founders_search;
drop index companies_search;
-- New entries wait in a list that every search reads through as well; so it is kept short.
create index founders_search on founders using gin (search_grams) with (gin_pending_list_limit = 256);
create index companies_search on companies using gin (search_grams) with (gin_pending_list_limit = 256);

-- My Records: what each fellow owns or has noted, newest first, however it came to be theirs.
create table founder_fellows (
  founder_id uuid not null references founders (id) on delete cascade,
  account_id uuid not null references accounts (id),
  created_at timestamptz(3) not null,
  is_owner boolean not null default false,
  notes_count integer not null default 0,
  primary key (founder_id, account_id)
);
create index founder_fellows_newest on founder_fellows (account_id, created_at desc, founder_id desc);

create table company_fellows (
  company_id uuid not null references companies (id) on delete cascade,
  account_id uuid not null references accounts (id),
  created_at timestamptz(3) not null,
  is_owner boolean not null default false,
  notes_count integer not null default 0,
  primary key (company_id, account_id)
);
create index company_fellows_newest on company_fellows (account_id, created_at desc, company_id desc);

-- They do what these were for.
drop index founders_of_creator;
drop index companies_of_creator;
drop index notes_on_founder_by;
drop index notes_on_company_by;

-- The account that a record belongs to: its creator, or for an imported one the account with that e-mail once it is
-- verified.
create function owner_of(creator_id uuid, creator_text text) returns uuid language sql stable as $$
  select coalesce(creator_id, (
    select id from accounts where creator_text is not null and email = lower(creator_text) and email_verified
  ))
$$;

create function founder_owners_added() returns trigger language plpgsql as $$
begin
  insert into founder_fellows (founder_id, account_id, created_at, is_owner)
  select id, owner_of(creator_id, creator_text), created_at, true from added
  where owner_of(creator_id, creator_text) is not null;
  return null;
end $$;

create function company_owners_added() returns trigger language plpgsql as $$
begin
  insert into company_fellows (company_id, account_id, created_at, is_owner)
  select id, owner_of(creator_id, creator_text), created_at, true from added
  where owner_of(creator_id, creator_text) is not null;
  return null;
end $$;

create trigger founders_have_owners after insert on founders
  referencing new table as added for each statement execute function founder_owners_added();
create trigger companies_have_owners after insert on companies
  referencing new table as added for each statement execute function company_owners_added();

create function founder_moved() returns trigger language plpgsql as $$
begin
  update founder_fellows set created_at = new.created_at where founder_id = new.id;
  return null;
end $$;

create function company_moved() returns trigger language plpgsql as $$
begin
  update company_fellows set created_at = new.created_at where company_id = new.id;
  return null;
end $$;

create trigger founders_moved after update on founders for each row
  when (old.created_at <> new.created_at) execute function founder_moved();
create trigger companies_moved after update on companies for each row
  when (old.created_at <> new.created_at) execute function company_moved();

-- What was imported under somebody's address becomes theirs when they prove that it is their own.
create function account_verified() returns trigger language plpgsql as $$
begin
  insert into founder_fellows (founder_id, account_id, created_at, is_owner)
  select id, new.id, created_at, true from founders where creator_id is null and lower(creator_text) = new.email
  on conflict (founder_id, account_id) do update set is_owner = true;
  insert into company_fellows (company_id, account_id, created_at, is_owner)
  select id, new.id, created_at, true from companies where creator_id is null and lower(creator_text) = new.email
  on conflict (company_id, account_id) do update set is_owner = true;
  return null;
end $$;

create trigger accounts_verified after insert or update of email_verified on accounts for each row
  when (new.email_verified) execute function account_verified();

create or replace function count_notes_added() returns trigger language plpgsql as $$
begin
  update founders set notes_count = notes_count + more.count
  from (select founder_id, count(*) from added where founder_id is not null group by founder_id) more
  where founders.id = more.founder_id;
  update companies set notes_count = notes_count + more.count
  from (select company_id, count(*) from added where company_id is not null group by company_id) more
  where companies.id = more.company_id;

  insert into founder_fellows as fellow (founder_id, account_id, created_at, notes_count)
  select founder_id, author_id, founders.created_at, count(*)
  from added join founders on founders.id = founder_id
  group by founder_id, author_id, founders.created_at
  on conflict (founder_id, account_id) do update set notes_count = fellow.notes_count + excluded.notes_count;
  insert into company_fellows as fellow (company_id, account_id, created_at, notes_count)
  select company_id, author_id, companies.created_at, count(*)
  from added join companies on companies.id = company_id
  group by company_id, author_id, companies.created_at
  on conflict (company_id, account_id) do update set notes_count = fellow.notes_count + excluded.notes_count;
  return null;
end $$;

-- The notes of a record that is deleted go with it, and so do its fellows, all at once: nothing is counted here then.
create or replace function count_notes_removed() returns trigger language plpgsql as $$
begin
  update founders set notes_count = notes_count - gone.count
  from (select founder_id, count(*) from removed where founder_id is not null group by founder_id) gone
  where founders.id = gone.founder_id;
  update companies set notes_count = notes_count - gone.count
  from (select company_id, count(*) from removed where company_id is not null group by company_id) gone
  where companies.id = gone.company_id;

  update founder_fellows fellow set notes_count = notes_count - gone.count
  from (select founder_id, author_id, count(*) from removed join founders on founders.id = founder_id group by 1, 2) gone
  where fellow.founder_id = gone.founder_id and fellow.account_id = gone.author_id;
  delete from founder_fellows fellow using removed
  where fellow.founder_id = removed.founder_id and fellow.account_id = removed.author_id
    and fellow.notes_count = 0 and not fellow.is_owner;
  update company_fellows fellow set notes_count = notes_count - gone.count
  from (select company_id, author_id, count(*) from removed join companies on companies.id = company_id group by 1, 2) gone
  where fellow.company_id = gone.company_id and fellow.account_id = gone.author_id;
  delete from company_fellows fellow using removed
  where fellow.company_id = removed.company_id and fellow.account_id = removed.author_id
    and fellow.notes_count = 0 and not fellow.is_owner;
  return null;
end $$;

-- How many records My Records shows each fellow.
alter table tallies
  add column my_founders bigint not null default 0,
  add column my_companies bigint not null default 0;

create function tally_my_founders_added() returns trigger language plpgsql as $$
begin
  insert into tallies as tally (creator_id, my_founders)
  select account_id, count(*) from added group by account_id order by account_id
  on conflict (creator_id, creator_text) do update set my_founders = tally.my_founders + excluded.my_founders;
  return null;
end $$;

create function tally_my_founders_removed() returns trigger language plpgsql as $$
begin
  update tallies set my_founders = tallies.my_founders - gone.count
  from (select account_id, count(*) from removed group by account_id) gone
  where tallies.creator_id = gone.account_id;
  return null;
end $$;

create function tally_my_companies_added() returns trigger language plpgsql as $$
begin
  insert into tallies as tally (creator_id, my_companies)
  select account_id, count(*) from added group by account_id order by account_id
  on conflict (creator_id, creator_text) do update set my_companies = tally.my_companies + excluded.my_companies;
  return null;
end $$;

create function tally_my_companies_removed() returns trigger language plpgsql as $$
begin
  update tallies set my_companies = tallies.my_companies - gone.count
  from (select account_id, count(*) from removed group by account_id) gone
  where tallies.creator_id = gone.account_id;
  return null;
end $$;

create trigger founder_fellows_added after insert on founder_fellows
  referencing new table as added for each statement execute function tally_my_founders_added();
create trigger founder_fellows_removed after delete on founder_fellows
  referencing old table as removed for each statement execute function tally_my_founders_removed();
create trigger company_fellows_added after insert on company_fellows
  referencing new table as added for each statement execute function tally_my_companies_added();
create trigger company_fellows_removed after delete on company_fellows
  referencing old table as removed for each statement execute function tally_my_companies_removed();

-- A deletion counts down for everybody who had the record in My Records. It takes all of these rows in one order before
-- anything else does, after the record's own, so that two deletions never wait for each other.
create function founder_leaving() returns trigger language plpgsql as $$
begin
  perform from founders where id = old.id for update;
  perform from tallies where creator_id in (select account_id from founder_fellows where founder_id = old.id)
  order by creator_id for update;
  return old;
end $$;

create function company_leaving() returns trigger language plpgsql as $$
begin
  perform from companies where id = old.id for update;
  perform from tallies where creator_id in (select account_id from company_fellows where company_id = old.id)
  order by creator_id for update;
  return old;
end $$;

create trigger founders_leaving before delete on founders for each row execute function founder_leaving();
create trigger companies_leaving before delete on companies for each row execute function company_leaving();

-- Makes all that is kept beside records and notes anew from them. What fills tables with triggers off calls it after.
create function rebuild_derived() returns void language plpgsql as $$
begin
  update founders set notes_count = counted.count
  from (
    select founders.id, count(notes.id) from founders left join notes on notes.founder_id = founders.id group by founders.id
  ) counted
  where founders.id = counted.id and notes_count <> counted.count;
  update companies set notes_count = counted.count
  from (
    select companies.id, count(notes.id) from companies left join notes on notes.company_id = companies.id group by companies.id
  ) counted
  where companies.id = counted.id and notes_count <> counted.count;

  delete from founder_fellows;
  delete from company_fellows;
  delete from tallies;
  insert into tallies (creator_id, creator_text, founders, companies)
  select creator_id, creator_text, sum(founders), sum(companies)
  from (
    select creator_id, creator_text, count(*) as founders, 0 as companies from founders group by 1, 2
    union all
    select creator_id, creator_text, 0, count(*) from companies group by 1, 2
  ) counted
  group by creator_id, creator_text;
  insert into founder_fellows (founder_id, account_id, created_at, is_owner, notes_count)
  select founder_id, account_id, created_at, bool_or(is_owner), sum(notes)
  from (
    select id as founder_id, owner_of(creator_id, creator_text) as account_id, created_at, true as is_owner, 0 as notes
    from founders
    union all
    select founder_id, author_id, founders.created_at, false, 1 from notes join founders on founders.id = founder_id
  ) fellows
  where account_id is not null
  group by founder_id, account_id, created_at;
  insert into company_fellows (company_id, account_id, created_at, is_owner, notes_count)
  select company_id, account_id, created_at, bool_or(is_owner), sum(notes)
  from (
    select id as company_id, owner_of(creator_id, creator_text) as account_id, created_at, true as is_owner, 0 as notes
    from companies
    union all
    select company_id, author_id, companies.created_at, false, 1 from notes join companies on companies.id = company_id
  ) fellows
  where account_id is not null
  group by company_id, account_id, created_at;
end $$;

select rebuild_derived();
