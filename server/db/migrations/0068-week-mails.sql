-- A mail has the Monday list on Mondays, where its reader chose it. Those on `mondays` have nothing else.
alter table digests add column has_week boolean not null default false,
  drop constraint digests_rhythm_check,
  add constraint digests_rhythm_check check (rhythm in ('off', 'daily', 'weekdays', 'mondays'));
