-- Whether a row that is a duplicate has values that its record lacks. Such a row is marked.
alter table import_rows add column has_more boolean not null default false;

drop index import_rows_marked;
create index import_rows_marked on import_rows (import_id, row)
  where (outcome in ('created', 'updated') and faults <> '[]') or (outcome = 'duplicate' and has_more);

-- Placeholders, addresses that were written twice, and hosts that many share identify no one. As in `server/records/keys.ts`.
-- Where a key changes, a trigger compares the record again, behind the changes of fellows.
set local sourcebook.quiet = 'on';

update records set linked_in_key = null
where linked_in_key in ('undefined', 'null', 'nan', 'none', 'nil', 'n-a', 'na', 'unknown', 'empty', 'tbd', 'todo', 'xxx',
    'placeholder', 'username', 'user-name', 'your-name', 'yourname', 'your-profile', 'yourprofile', 'firstname-lastname',
    'first-last')
  or linked_in_key ~ '^(in|pub|company|school|https?)$|^www\.|linkedin\.|[]:@{}[<>$*]|^[-_.,;!~+=&%()|]+$';

update records set domain_key = null
where domain_key ~ ('(^|\.)(bit\.ly|buff\.ly|cutt\.ly|goo\.gl|is\.gd|lnkd\.in|ow\.ly|rb\.gy|rebrand\.ly|shorturl\.at|t\.co|t\.ly|'
    'tiny\.cc|tinyurl\.com|bio\.link|hubs\.li|hubs\.ly|lnk\.bio|youtu\.be|fb\.me|amzn\.to|forms\.gle|forms\.office\.com|'
    'forms\.microsoft\.com|airtable\.com|fillout\.com|formstack\.com|jotform\.com|paperform\.co|surveymonkey\.com|tally\.so|'
    'typeform\.com|wufoo\.com|calendly\.com|docsend\.com|https?)$');

-- Pairs by an address alone are no longer as certain.
insert into duplicate_checks (record_id, priority)
select distinct a, 0 from duplicate_pairs where dismissed is null and reasons && '{email,domain}'::text[]
on conflict (record_id) do nothing;
