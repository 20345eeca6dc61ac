-- Names that were missed: without additions in brackets, with or without the ending of a web address, in Chinese, Japanese
-- or Korean with or without a space, and with one mistake in a long word of a company's name.

drop index if exists founders_by_name;
drop index if exists companies_by_name;

-- The name is the first field of the search text. Entries that wait to be sorted into an index cost every look-up more than
-- sorting them in costs an insert.
create index founders_by_name on records using gin (person_keys(split_part(search_text, E'\x1f', 1)))
  with (fastupdate = off) where kind = 'founder';
create index companies_by_name on records using gin (company_keys(split_part(search_text, E'\x1f', 1)))
  with (fastupdate = off) where kind = 'company';

-- A domain and its subdomains are neighbours when their letters are reversed.
create index companies_by_site on records (reverse(domain_key) collate "C") where kind = 'company' and domain_key is not null;

-- A fellow's own change is compared first, before the records that an import has queued.
alter table duplicate_checks add column priority smallint not null default 0;
alter table duplicate_checks alter column priority set default 1;
create index duplicate_checks_next on duplicate_checks (priority desc, record_id);

-- Every record is compared again, since its name may now match others.
insert into duplicate_checks (record_id, priority) select id, 0 from records where merged_into is null on conflict do nothing;
