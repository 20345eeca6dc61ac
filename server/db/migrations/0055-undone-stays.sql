-- What a stay needs to go again without a trace: with the act that has begun it, or because its person has only corrected a move.
alter table stage_changes
  add column left_by uuid references accounts (id),
  -- The act on many records, or the import, that has brought the record into the stage. Its undo deletes the stay.
  add column act_id uuid,
  -- The status that the record had in this stage before the stay.
  add column status_before text,
  -- The stay that the act has replaced, because the same person had begun it just before.
  add column replaced jsonb;

-- Those of acts that can still be undone.
update stage_changes set act_id = act.id
from bulk_acts act join bulk_rows changed on changed.bulk_id = act.id and changed.is_stage_changed
where stage_changes.record_id = changed.record_id and stage_changes.stage_id = act.stage_id
  and stage_changes.account_id = act.account_id and act.undone_at is null
  and stage_changes.entered_at between act.done_at - interval '1 minute' and act.done_at;
