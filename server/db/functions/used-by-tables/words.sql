-- The words of a name for a search that forgives accents, the order of words and one wrong letter. Indexes contain its keys,
-- and the search compares the words of its term with them.

-- As `name_words`, also without the vowel signs of Arabic and Hebrew, and the stroke that lengthens Arabic words.
create or replace function search_words(folded text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
begin
  if folded ~ '[\u0590-\u06ff]' then
    return public.name_words(regexp_replace(normalize(left(folded, 200), nfkd),
      '[\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc]', '', 'g'));
  end if;
  return public.name_words(folded);
end $$;

-- Each word, and each long one without any one of its letters: two words with one mistake between them share one of these.
create or replace function word_keys(folded text) returns tsvector language plpgsql immutable parallel safe cost 5000 as $$
declare
  words text[] := array(
    select distinct word from unnest(public.person_forms(folded)) form, unnest(public.search_words(form)) word
  );
begin
  return array_to_tsvector(words || array(
    select distinct '-' || overlay(word placing '' from letter for 1)
    from unnest(words) word, generate_series(1, length(word)) letter where length(word) between 5 and 20
  ));
end $$;
