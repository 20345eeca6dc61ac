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

-- The listed ones among addresses, without those that an overrule keeps on one of the records. An erasure that lists one of
-- them is waited for, until the transaction ends: `hold_addresses`. Volatile, so that each statement sees what was committed.
create or replace function listed_addresses(addresses text[], on_records uuid[]) returns table (given text, hash text)
  language plpgsql volatile rows 1 as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('do not keep ' || address, 0))
  from (select distinct unnest(addresses) address order by address) ordered;
  return query select keyed.given, keyed.hash from keyed_hashes(addresses) keyed
    join do_not_keep on do_not_keep.hash = keyed.hash
    where not exists (
      select from overrules where overrules.hash = keyed.hash and overrules.record_id in (
        select tree.id from unnest(on_records) record, merged_tree(record) tree
      )
    );
end $$;

-- No transaction writes one of these addresses from now on, until this one ends.
create or replace function hold_addresses(addresses text[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('do not keep ' || address, 0))
  from (select distinct unnest(addresses) address order by address) ordered;
end $$;

-- For a change of one statement. PS002: one of the addresses is listed.
create or replace function refuse_listed(addresses text[], on_records uuid[]) returns void language plpgsql as $$
begin
  if exists (select from listed_addresses(addresses, on_records)) then
    raise exception 'This person asked not to be kept' using errcode = 'PS002';
  end if;
end $$;
