-- The filters and sorts of lists. Every index has the order of the list that it serves.

-- When the newest note of a record was added. A constant instead of null, so that records without a note are last in one
-- comparison of rows.
alter table records add column last_note_at timestamptz(3) not null default 'epoch';
update records set last_note_at = newest.at
from (select record_id, max(created_at) as at from notes group by record_id) newest
where records.id = newest.record_id;

-- By rating, records that are not rated last. A list of some ratings, newest first, merges those of each rating.
create index founders_by_rating on records ((case when is_rated then rating else 0 end) desc, created_at desc, id desc)
  where kind = 'founder';
create index companies_by_rating on records ((case when is_rated then rating else 0 end) desc, created_at desc, id desc)
  where kind = 'company';

-- Records without a note are neighbours in it, newest first.
create index founders_by_last_note on records (last_note_at desc, created_at desc, id desc) where kind = 'founder';
create index companies_by_last_note on records (last_note_at desc, created_at desc, id desc) where kind = 'company';

create index founders_with_notes on records (created_at desc, id desc)
  where kind = 'founder' and last_note_at > timestamptz 'epoch';
create index companies_with_notes on records (created_at desc, id desc)
  where kind = 'company' and last_note_at > timestamptz 'epoch';

create index companies_by_industry on records (without_case(additional_info ->> 'industry'), created_at desc, id desc)
  where kind = 'company' and additional_info ->> 'industry' is not null;
create index companies_by_place on records (without_case(company_place(additional_info)), created_at desc, id desc)
  where kind = 'company' and additional_info -> 'headquarters' is not null;

-- What a fellow has found, first or also.
create index record_members_found on record_members (account_id, kind, created_at desc, record_id desc)
  where is_owner or is_finder;
