-- A public random id of each sign-in. A session that is renewed after a change of the password keeps it.
alter table sessions add column sign_in uuid not null default gen_random_uuid();
