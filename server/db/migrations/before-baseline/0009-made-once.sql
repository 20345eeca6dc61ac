-- What was made by requests that carry a key of the caller's, so that one that comes again makes nothing twice.
-- Forgotten after a day.
create table made_once (
  account_id uuid not null,
  key text not null,
  -- Of all that the request asked for: the same key with other words is a mistake.
  fingerprint text not null,
  made_id uuid not null,
  made_at timestamptz(3) not null default now(),
  primary key (account_id, key)
);
create index made_once_by_age on made_once (made_at);

-- The id for a new row, called by the very statement that inserts it: the two are kept together, or neither. Of requests
-- that come at once the others wait here for the first. PS001: the key is taken.
create function claim_once(account_id uuid, key text, fingerprint text, id uuid) returns uuid language plpgsql as $$
#variable_conflict use_variable
begin
  insert into made_once as known (account_id, key, fingerprint, made_id) values (account_id, key, fingerprint, id)
  on conflict on constraint made_once_pkey do update
    set fingerprint = excluded.fingerprint, made_id = excluded.made_id, made_at = excluded.made_at
    where known.made_at < now() - interval '24 hours';
  if not found then
    raise exception 'This key was used before' using errcode = 'PS001';
  end if;
  return id;
end $$;
