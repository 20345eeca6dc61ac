-- A UUID of version 7: milliseconds, microseconds, the rising number, then chance. PostgreSQL has none before 18.
create or replace function audit_id(moment timestamptz) returns uuid language plpgsql volatile as $$
begin
  return encode(
    substring(int8send(floor(extract(epoch from moment) * 1000)::int8) from 3)
    || substring(int8send(28672 + floor((extract(epoch from moment) * 1000 % 1) * 4096)::int8) from 7)
    || substring(int8send(2147483648 + nextval('audit_order') % 1073741824) from 5)
    || substring(uuid_send(gen_random_uuid()) from 13),
    'hex'
  )::uuid;
end $$;
