-- The list of a week reads what happened in it.
create index stage_changes_entered on stage_changes (kind, entered_at);
create index stage_changes_left on stage_changes (kind, left_at) where left_at is not null;
create index passings_newest on passings (passed_at);
create index opinion_reveals_newest on opinion_reveals (revealed_at);
