-- The words, forms and keys of names, which indexes contain. Indexes are built with an empty search path, so functions name
-- their schema. Tokenising a name is slow. Without a declared cost, the planner reads whole tables in place of the indexes of
-- names, as long as a table has no statistics.

-- Names are compared by their words: without accents, and in Latin letters where the script is Cyrillic or Greek. Of a longer
-- name than a form takes only the beginning counts, since an index refuses long keys.
create or replace function name_words(folded text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
begin
  return array_remove(regexp_split_to_array(
    translate(
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        regexp_replace(normalize(left(folded, 200), nfkd), '[\u0300-\u036f''’‘`´]', '', 'g'),
        'ж', 'zh'), 'х', 'kh'), 'ц', 'ts'), 'ч', 'ch'), 'ш', 'sh'), 'щ', 'shch'), 'ю', 'yu'), 'я', 'ya'),
        'θ', 'th'), 'χ', 'ch'), 'ψ', 'ps'), 'þ', 'th'),
      'абвгдезиклмнопрстуфыэіґєјљњћђџαβγδεζηικλμνξοπρσςτυφωßøđðłıæœьъ',
      'abvgdeziklmnoprstufyeigejlncdzavgdeziiklmnxoprsstufosoddliao'
    ),
    '[\s!-/:-@\[-`{-~«»“”„·®™©–—]+'
  ), '');
end $$;

-- Words in one of their spellings: Alexey as Aleksei, Mueller as Müller, Thomson as Tomson.
create or replace function name_sounds(words text[]) returns text[] language plpgsql immutable parallel safe as $$
begin
  return string_to_array(regexp_replace(
    replace(translate(
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        array_to_string(words, ' '),
        'sch', 'š'), 'sh', 'š'), 'ch', 'č'), 'kh', 'h'), 'ph', 'f'), 'th', 't'), 'ck', 'k'), 'x', 'ks'),
        'ae', 'a'), 'oe', 'o'), 'ue', 'u'), 'ie', 'i'), 'ou', 'u'),
      'cqwyj', 'kkvii'), 'ei', 'i'),
    '([[:alpha:]])\1+', '\1', 'g'), ' ');
end $$;

-- A name without what is in brackets, unless nothing else is left. A bracket may still be open while someone types.
create or replace function without_brackets(folded text) returns text language plpgsql immutable parallel safe as $$
declare
  plain text;
begin
  plain := btrim(regexp_replace(folded, '[(\[{\u3010\u300c][^)\]}\u3011\u300d]*[)\]}\u3011\u300d]?', ' ', 'g'));
  return case when plain = '' then folded else plain end;
end $$;

-- The forms in which a name is compared: as it is, and a plain one if that differs. Chinese, Japanese and Korean names are
-- written with and without a space.
create or replace function person_forms(folded text) returns text[] language plpgsql immutable parallel safe cost 1000 as $$
declare
  plain text;
begin
  -- Most names have one form, and this is called for every candidate.
  if folded !~ '[(\[{\u3010\u300c\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]' then
    return array[folded];
  end if;
  plain := regexp_replace(public.without_brackets(folded),
    '(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff])[\s\u30fb]+(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff])',
    '', 'g');
  return case when plain = folded then array[folded] else array[folded, plain] end;
end $$;

-- The keys of a form of a person's name. Each word with the first letter of another: a wrong letter, an initial or another
-- order leaves one of them alike. The first consonants of two words: a mistake in each of them seldom changes these. Of a
-- long name the first three words and the last count.
create or replace function person_form_keys(form text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
declare
  words text[] := public.name_words(form);
  sounds text[];
  consonants text[];
  keys text[] := '{}';
begin
  if cardinality(words) > 4 then
    words := words[:3] || words[cardinality(words):];
  end if;
  sounds := public.name_sounds(words);
  consonants := string_to_array(translate(array_to_string(sounds, ' '), 'aeiou', ''), ' ');
  if cardinality(words) = 1 then
    return array[sounds[1] || '|' || left(words[1], 1)];
  end if;
  for a in 1..cardinality(words) loop
    for b in a + 1..cardinality(words) loop
      keys := keys || array[sounds[a] || '|' || left(words[b], 1), sounds[b] || '|' || left(words[a], 1)];
      if length(consonants[a]) > 1 and length(consonants[b]) > 1 and length(consonants[a]) + length(consonants[b]) > 5 then
        keys := keys || (left(least(consonants[a], consonants[b]), 4) || '+' || left(greatest(consonants[a], consonants[b]), 4));
      end if;
    end loop;
  end loop;
  return keys;
end $$;

create or replace function person_keys(folded text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
declare
  forms text[] := public.person_forms(folded);
  keys text[] := public.person_form_keys(folded);
begin
  return case when cardinality(forms) = 1 then keys else keys || public.person_form_keys(forms[2]) end;
end $$;

-- Names of companies are written like their web addresses: fern.io, getbramble.com. A final AI may be written with the word.
create or replace function company_forms(folded text) returns text[] language plpgsql immutable parallel safe cost 1000 as $$
declare
  plain text;
  site text;
begin
  if folded !~ '[(\[{\u3010\u300c.]|ai$' then
    return array[folded];
  end if;
  plain := public.without_brackets(folded);
  site := substring(plain from '^(?:www\.)?([^\s.]{3,})(?:\.[a-z]{2,12})+$');
  if site is not null then
    plain := coalesce(substring(site from '^(?:get|try|use|join|with)-?([^\s-]{4,})$'), site);
  end if;
  plain := coalesce(substring(plain from '^(\S{4,})ai$'), plain);
  return case when plain = folded then array[folded] else array[folded, plain] end;
end $$;

-- The words of a company's name without legal forms. Letters with points or spaces between them are one word.
create or replace function company_words(folded text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
declare
  words text[] := public.name_words(
    replace(replace(replace(replace(replace(replace(replace(replace(folded, '株式会社', ' '), '有限会社', ' '), '合同会社', ' '),
      '科技有限公司', ' '), '股份有限公司', ' '), '有限公司', ' '), '주식회사', ' '), '(주)', ' ')
  );
  line text := array_to_string(words, ' ');
begin
  if line ~ '\m\w \w\M' then
    words := string_to_array(regexp_replace(line, '\m(\w) (?=\w\M)', '\1', 'g'), ' ');
  end if;
  return array(
    select word from unnest(words) with ordinality words (word, position)
    where word <> all ('{ab,ad,ae,ag,ao,aps,as,asa,bhd,bv,bvba,co,company,corp,corporation,cv,doo,ehf,eirl,eood,eurl,ev,fz,fzco,
      fze,gbr,gesellschaft,gmbh,haftungsbeschrankt,inc,incorporated,jsc,kft,kg,kgaa,kk,lda,limited,llc,llp,lp,ltd,ltda,mbh,nv,
      oao,ohg,ood,ooo,ou,oy,oyj,pao,pbc,plc,private,pt,pte,pty,pvt,rl,s,sa,sab,sagl,sarl,sas,sasu,sca,sdn,se,sia,sl,slu,snc,
      sp,spa,spolka,spzoo,srl,sro,sti,tbk,the,tov,uab,ug,zao,zoo,zrt}'::text[])
    order by position
  );
end $$;

-- The words of a company's name that few companies have, and all words as one.
create or replace function company_distinctive(words text[]) returns text[] language plpgsql immutable parallel safe as $$
begin
  return array(
    select distinct word from unnest(words || array_to_string(words, '')) word
    where word <> '' and word <> all ('{ai,analytics,and,app,apps,bio,biotech,capital,cloud,com,consulting,data,de,der,design,
      dev,digital,energy,et,finance,fintech,for,get,global,group,health,healthcare,holding,holdings,hq,innovation,innovations,
      international,intl,io,lab,labs,manufacturing,media,medical,mfg,my,net,network,networks,of,online,org,partners,platform,
      robotics,security,service,services,software,solutions,studio,studios,systems,tech,technologies,technology,therapeutics,
      to,try,und,use,ventures,web,works,www}'::text[])
  );
end $$;

-- The keys of a form of a company's name: its distinctive words, the consonants of long words, which a typing error seldom
-- changes, and long words with any one letter less: two words with one mistake between them share one of these.
create or replace function company_form_keys(form text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
declare
  words text[] := public.company_words(form);
  distinctive text[] := public.company_distinctive(words);
  sounds text[] := public.name_sounds(distinctive);
begin
  return sounds || array(
    select '~' || consonants from string_to_table(translate(array_to_string(sounds, ' '), 'aeiou', ''), ' ') consonants
    where length(consonants) > 3
  ) || array(
    select distinct '-' || overlay(word placing '' from letter for 1)
    from unnest(distinctive) word, generate_series(1, length(word) + 1) letter
    -- The last one is the whole word. A word of five letters may be one of six without a letter.
    where word = any (words) and length(word) between 5 and 20 and (length(word) > 5 or letter = 6)
  );
end $$;

create or replace function company_keys(folded text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
declare
  forms text[] := public.company_forms(folded);
  keys text[] := public.company_form_keys(folded);
begin
  return case when cardinality(forms) = 1 then keys else keys || public.company_form_keys(forms[2]) end;
end $$;

-- One text for all forms of a company's name: Acme, ACME Inc., acme.io, Acme AI. A name of legal forms alone keeps them.
create or replace function company_name_key(folded text) returns text language plpgsql immutable strict parallel safe cost 5000 as $$
declare
  forms text[];
  words text[];
  key text;
begin
  if folded = '' then
    return null;
  end if;
  forms := public.company_forms(folded);
  words := public.company_words(forms[cardinality(forms)]);
  if words = '{}' then
    words := public.name_words(folded);
  end if;
  key := array_to_string(words, '');
  return nullif(coalesce(substring(key from '^(.{4,})ai$'), key), '');
end $$;
