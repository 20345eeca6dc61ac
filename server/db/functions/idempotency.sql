-- The id for a new row, called by the statement that inserts it, so that both are kept or neither. Of simultaneous
-- requests with one key the others wait here for the first. PS001: the key is taken.
create or replace function claim_idempotency_key(account_id uuid, key text, fingerprint text, id uuid) returns uuid language plpgsql as $$
#variable_conflict use_variable
begin
  insert into idempotency_keys as known (account_id, key, fingerprint, made_id) values (account_id, key, fingerprint, id)
  on conflict on constraint idempotency_keys_pkey do update
    set fingerprint = excluded.fingerprint, made_id = excluded.made_id, made_at = excluded.made_at
    where known.made_at < now() - interval '24 hours';
  if not found then
    raise exception 'This key was used before' using errcode = 'PS001';
  end if;
  return id;
end $$;
