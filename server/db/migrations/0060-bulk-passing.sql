-- An act on many records can pass them, with one reason.
alter table bulk_acts
  add column passes boolean not null default false,
  add column passing_reason_id uuid references passing_reasons (id);

-- The remark is kept with each record, so that the erasure of a record deletes it. Passing ends the next step.
alter table bulk_rows
  add column is_passed boolean not null default false,
  add column passing_text text,
  add column next_step_before text,
  add column next_on_before date;
