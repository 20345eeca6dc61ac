-- What `contract/fold.ts` does with typography. Not `translate`, which takes ten times as long.
create or replace function plain_typography(given text) returns text language plpgsql immutable strict parallel safe as $$
begin
  return regexp_replace(regexp_replace(regexp_replace(
    replace(replace(replace(replace(
      regexp_replace(given,
        '[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]',
        '', 'g'),
      'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'AE'),
    '[\u2018-\u201b\u2032\u2035\u2039\u203a\u02b9\u02bb-\u02bd\ua78c]| \u0301', '''', 'g'),
    '[\u201c-\u201f\u00ab\u00bb\u301d-\u301f]', '"', 'g'),
    '[\u2010-\u2015\u2043\u2212\u058a\u05be]', '-', 'g');
end $$;

-- Folds text that was folded with NFKC and lower case alone, as `contract/fold.ts` does, for texts of earlier versions. Of other
-- text it leaves the case.
create or replace function fold_again(folded text) returns text language plpgsql immutable parallel safe as $$
begin
  if octet_length(folded) = length(folded) then
    return folded;
  end if;
  return normalize(public.plain_typography(folded), nfkc);
end $$;
