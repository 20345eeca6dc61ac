-- The day on which to look again at a record that was passed, and the months that a reason proposes.
alter table records add column look_again_on date;
alter table passing_reasons add column look_again smallint check (look_again in (3, 6, 12));
update passing_reasons set look_again = 6 where id = 'cd2b4b13-39f7-5c23-9a4d-8d4da921e90b' and name = 'Too early';

alter table bulk_acts add column look_again_on date;
