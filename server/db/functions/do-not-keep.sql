-- The HMAC-SHA-256 of each text under each key of the ledger, in hex. There is one key, or several where ledgers were united.
-- Without a key it returns no row.
create or replace function keyed_hashes(texts text[]) returns table (given text, key_id uuid, hash text)
  language plpgsql stable rows 2 as $$
declare
  line record;
  inner_pad bytea;
  outer_pad bytea;
begin
  for line in
    select ledger.id, decode(facts ->> 'key', 'hex') || decode(repeat('00', 32), 'hex') as key
    from ledger where kind = 'key' order by at, id
  loop
    inner_pad := line.key;
    outer_pad := line.key;
    for place in 0..63 loop
      inner_pad := set_byte(inner_pad, place, get_byte(line.key, place) # 54);
      outer_pad := set_byte(outer_pad, place, get_byte(line.key, place) # 92);
    end loop;
    return query select one, line.id, encode(sha256(outer_pad || sha256(inner_pad || convert_to(one, 'UTF8'))), 'hex')
    from unnest(texts) one;
  end loop;
end $$;
