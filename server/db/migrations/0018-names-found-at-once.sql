-- Entries that wait to be sorted into an index of names cost every look-up more than sorting them in costs an insert.
alter index founders_by_name set (fastupdate = off);
alter index companies_by_name set (fastupdate = off);
select gin_clean_pending_list('founders_by_name'), gin_clean_pending_list('companies_by_name');
