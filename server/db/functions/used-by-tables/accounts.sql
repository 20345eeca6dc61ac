-- The mailbox that most mail systems deliver to: without the tag, and without the dots before the @.
create or replace function plain_address(email text) returns text language sql immutable strict parallel safe as $$
  select replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@' || split_part(lower(email), '@', 2)
$$;
