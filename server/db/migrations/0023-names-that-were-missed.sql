-- Names that were missed: without additions in brackets, with or without the ending of a web address, in Chinese, Japanese
-- or Korean with or without a space, and with one mistake in a long word of a company's name.

drop index founders_by_name;
drop index companies_by_name;

-- A name without what is in brackets, unless nothing else is left. A bracket may still be open while someone types.
create function without_brackets(folded text) returns text language plpgsql immutable parallel safe as $$
declare
  plain text;
begin
  plain := btrim(regexp_replace(folded, '[(\[{\u3010\u300c][^)\]}\u3011\u300d]*[)\]}\u3011\u300d]?', ' ', 'g'));
  return case when plain = '' then folded else plain end;
end $$;

-- The forms in which a name is compared: as it is, and a plain one if that differs.

-- Chinese, Japanese and Korean names are written with and without a space.
create function person_forms(folded text) returns text[] language plpgsql immutable parallel safe cost 1000 as $$
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

-- Names of companies are written like their web addresses: fern.io, getbramble.com. A final AI may be written with the word.
create function company_forms(folded text) returns text[] language plpgsql immutable parallel safe cost 1000 as $$
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

-- The keys of a form of a person's name. Each word with the first letter of another: a wrong letter, an initial or another
-- order leaves one of them alike. The first consonants of two words: a mistake in each of them seldom changes these. Of a
-- long name the first three words and the last count.
create function person_form_keys(form text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
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

-- The words of a company's name that few companies have, and all words as one.
create function company_distinctive(words text[]) returns text[] language plpgsql immutable parallel safe as $$
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
create function company_form_keys(form text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
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

create index founders_by_name on records using gin (person_keys(split_part(search_text, E'\x1f', 1)))
  with (fastupdate = off) where kind = 'founder';
create index companies_by_name on records using gin (company_keys(split_part(search_text, E'\x1f', 1)))
  with (fastupdate = off) where kind = 'company';

-- A domain and its subdomains are neighbours when their letters are reversed.
create index companies_by_site on records (reverse(domain_key) collate "C") where kind = 'company' and domain_key is not null;

-- A fellow's own change is compared first, before the records that an import has queued.
alter table duplicate_checks add column priority smallint not null default 0;
alter table duplicate_checks alter column priority set default 1;
create index duplicate_checks_next on duplicate_checks (priority desc, record_id);

-- Many records that are changed at once (sourcebook.quiet) wait behind the others.
create or replace function queue_duplicate_check() returns trigger language plpgsql as $$
begin
  insert into duplicate_checks as known (record_id, priority)
  values (new.id, case when current_setting('sourcebook.quiet', true) = 'on' then 0 else 1 end)
  on conflict (record_id) do update
    set change_id = excluded.change_id, priority = greatest(known.priority, excluded.priority);
  return null;
end $$;

-- A record that waits behind others is compared first once a fellow edits it or adds a note.
create function hasten_duplicate_check() returns trigger language plpgsql as $$
begin
  if current_setting('sourcebook.quiet', true) is distinct from 'on' then
    update duplicate_checks set priority = 1 where record_id = new.id and priority = 0;
  end if;
  return null;
end $$;
create trigger records_hasten_check after update of version, notes_count on records for each row
  when (old.version <> new.version or old.notes_count <> new.notes_count)
  execute function hasten_duplicate_check();

-- Every record is compared again, since its name may now match others.
insert into duplicate_checks (record_id, priority) select id, 0 from records where merged_into is null on conflict do nothing;

-- The addresses that two records share. A dismissed pair is offered again only when another one becomes equal.
create function equal_addresses(a uuid, b uuid) returns text[] language sql stable as $$
  select array_remove(array[
    case when one.linked_in_key = other.linked_in_key then 'linkedin' end,
    case when lower(one.additional_info ->> 'email') = lower(other.additional_info ->> 'email') then 'email' end,
    case when one.domain_key = other.domain_key or right(one.domain_key, length(other.domain_key) + 1) = '.' || other.domain_key
      or right(other.domain_key, length(one.domain_key) + 1) = '.' || one.domain_key then 'domain' end
  ], null)
  from records one, records other where one.id = a and other.id = b
$$;
