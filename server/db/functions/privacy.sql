-- Text as the search for a person compares it: folded, without accents, lower case in ASCII. The search looks for every other
-- letter in both cases, because `lower` may know ASCII alone.
create or replace function person_text(given text) returns text language plpgsql immutable strict parallel safe as $$
declare
  plain text := lower(given collate "C");
begin
  if octet_length(plain) = length(plain) then
    return plain;
  end if;
  plain := lower(regexp_replace(plain_typography(normalize(plain, nfkd)), '[\u0300-\u036f]', '', 'g') collate "C");
  if octet_length(plain) = length(plain) then
    return plain;
  end if;
  return replace(regexp_replace(regexp_replace(regexp_replace(plain,
    '[øØ]', 'o', 'g'), '[łŁ]', 'l', 'g'), '[đĐðÐ]', 'd', 'g'), 'ı', 'i');
end $$;
