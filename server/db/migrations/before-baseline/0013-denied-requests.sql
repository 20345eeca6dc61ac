-- What visitors who are not signed in were refused. It is no history: anyone can cause these rows, they hold the addresses of
-- strangers, and they are deleted after a while. What history has of such refusals from before stays there.
create table denied_requests (
  id uuid not null default history_id(clock_timestamp()),
  at timestamptz(3) not null default clock_timestamp(),
  -- As it was typed; it may be of no account.
  account_email text,
  ip text,
  request_id text,
  action text not null,
  kind text,
  object_id uuid,
  detail jsonb,
  primary key (at, id)
);
create index denied_requests_of_object on denied_requests (object_id, at desc, id desc) where object_id is not null;
create index denied_requests_of_person on denied_requests (account_email, at desc, id desc) where account_email is not null;
create index denied_requests_of_action on denied_requests (action, at desc, id desc);
