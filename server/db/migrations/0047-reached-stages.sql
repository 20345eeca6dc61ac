-- The stages that a record is in or was in. The planner knows how many records have reached each one, and reads a list of them in its
-- order or from the index.
alter table records add column reached uuid[] not null default '{}';

update records set reached = known.stages
from (
  select record_id, array_agg(distinct stage_id order by stage_id) as stages
  from (
    select record_id, stage_id from stage_changes
    union all
    select id, stage_id from records where stage_id is not null
  ) stays
  group by record_id
) known
where records.id = known.record_id;

create index founders_reached on records using gin (reached) with (gin_pending_list_limit = 256)
  where kind = 'founder' and reached <> '{}';
create index companies_reached on records using gin (reached) with (gin_pending_list_limit = 256)
  where kind = 'company' and reached <> '{}';
drop index stage_changes_reached;
