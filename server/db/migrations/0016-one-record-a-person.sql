-- Finders, names to compare, pairs that may be one record, and merging.

-- What the wire shows of an account: its own id is no part of an answer.
alter table accounts add column public_id uuid not null default gen_random_uuid() unique;

-- A merged record keeps its row under a kind of its own, which no statement about founders or companies names, until the
-- merge is undone. It is deleted with its survivor.
alter table records
  add column merged_into uuid references records (id) on delete cascade,
  add column is_imported boolean not null default false,
  drop constraint records_kind_check,
  add check (kind in ('founder', 'company', 'merged-founder', 'merged-company')),
  add check ((kind like 'merged-%') = (merged_into is not null)),
  -- Imported founders may have no LinkedIn profile.
  drop constraint records_check,
  drop constraint records_check1,
  add check (kind in ('company', 'merged-company') or website is null),
  drop constraint records_check2,
  add check (kind in ('company', 'merged-company') or description is null);
create index records_merged on records (merged_into) where merged_into is not null;

-- Pictures stay under the id in their URL.
alter table pictures
  drop constraint pictures_record_id_kind_fkey,
  add foreign key (record_id, kind) references records (id, kind) on delete cascade on update cascade;

-- A record and everything that was merged into it. In PL/pgSQL, so that the planner sees the number of rows declared here.
create function merged_tree(root uuid) returns table (id uuid) language plpgsql stable rows 2 as $$
begin
  return query with recursive tree as (
    select root as id
    union all
    select records.id from records join tree on records.merged_into = tree.id
  )
  select tree.id from tree;
end $$;

-- Who found a record after its creator, who is the first finder. A name without an account is from an import.
create table finders (
  record_id uuid not null references records (id) on delete cascade,
  account_id uuid references accounts (id),
  fellow_text text,
  found_at timestamptz(3) not null default now(),
  via text not null check (via in ('add', 'import', 'merge', 'self')),
  check ((account_id is null) <> (fellow_text is null)),
  unique nulls not distinct (record_id, account_id, fellow_text)
);

alter table record_members add column is_finder boolean not null default false;

-- A record below which others were merged, however often.
create function merged_root(member uuid) returns uuid language sql stable as $$
  with recursive path as (
    select id, merged_into from records where id = member
    union all
    select records.id, records.merged_into from records join path on records.id = path.merged_into
  )
  select id from path where merged_into is null
$$;

-- Taking a name apart is slow. Without a declared cost, the planner reads whole tables in place of the indexes of names, as
-- long as a table has no statistics.

-- Names are compared by their words: without accents, and in Latin letters where the script is Cyrillic or Greek. Of a longer
-- name than a form takes only the beginning counts, since an index refuses long keys.
create function name_words(folded text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
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
create function name_sounds(words text[]) returns text[] language plpgsql immutable parallel safe as $$
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

-- Indexes are built with an empty search path, so functions name their schema.

-- The keys of a person's name. Each word with the first letter of another: a wrong letter, an initial or another order
-- leaves one of them alike. The first consonants of two words: a mistake in each of them seldom changes these. Of a long
-- name the first three words and the last count.
create function person_keys(folded text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
declare
  words text[] := public.name_words(folded);
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

-- The words of a company's name without legal forms. Letters with points or spaces between them are one word.
create function company_words(folded text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
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

-- The keys of a company's name: its words that few companies have, all of it as one word, and the consonants of long words,
-- which a typing error seldom changes.
create function company_keys(folded text) returns text[] language plpgsql immutable parallel safe cost 5000 as $$
declare
  words text[] := public.company_words(folded);
  sounds text[] := public.name_sounds(array(
    select distinct word from unnest(words || array_to_string(words, '')) word
    where word <> '' and word <> all ('{ai,analytics,and,app,apps,bio,biotech,capital,cloud,com,consulting,data,de,der,design,
      dev,digital,energy,et,finance,fintech,for,get,global,group,health,healthcare,holding,holdings,hq,innovation,innovations,
      international,intl,io,lab,labs,manufacturing,media,medical,mfg,my,net,network,networks,of,online,org,partners,platform,
      robotics,security,service,services,software,solutions,studio,studios,systems,tech,technologies,technology,therapeutics,
      to,try,und,use,ventures,web,works,www}'::text[])
  ));
begin
  return sounds || array(
    select '~' || consonants from string_to_table(translate(array_to_string(sounds, ' '), 'aeiou', ''), ' ') consonants
    where length(consonants) > 3
  );
end $$;

-- The name is the first field of the search text. Every look-up also reads the list of pending entries, so it is kept short.
create index founders_by_name on records using gin (person_keys(split_part(search_text, E'\x1f', 1)))
  with (gin_pending_list_limit = 256) where kind = 'founder';
create index companies_by_name on records using gin (company_keys(split_part(search_text, E'\x1f', 1)))
  with (gin_pending_list_limit = 256) where kind = 'company';
create index founders_by_email on records (lower(additional_info ->> 'email'), created_at desc, id desc)
  where kind = 'founder' and lower(additional_info ->> 'email') is not null;

-- Pairs that may be one record, found after either of them has changed. A dismissed pair keeps the reasons that were known.
create table duplicate_pairs (
  a uuid not null references records (id) on delete cascade,
  b uuid not null references records (id) on delete cascade,
  kind text not null,
  reasons text[] not null,
  score smallint not null,
  dismissed text[],
  primary key (a, b),
  check (a < b)
);
create index duplicate_pairs_best on duplicate_pairs (kind, score desc, a desc, b desc) where dismissed is null;
create index duplicate_pairs_of_other on duplicate_pairs (b);

-- Records to compare with all others. Another change id means that the record has changed again.
create table duplicate_checks (
  record_id uuid primary key references records (id) on delete cascade,
  change_id uuid not null default gen_random_uuid()
);
insert into duplicate_checks (record_id) select id from records;

create function queue_duplicate_check() returns trigger language plpgsql as $$
begin
  insert into duplicate_checks (record_id) values (new.id) on conflict (record_id) do update set change_id = excluded.change_id;
  return null;
end $$;

create trigger records_queue_check after insert on records for each row execute function queue_duplicate_check();
create trigger records_queue_check_again after update of name, linked_in_key, domain_key, additional_info, kind on records
  for each row when (old.name <> new.name or old.linked_in_key is distinct from new.linked_in_key
    or old.domain_key is distinct from new.domain_key or old.kind <> new.kind
    or old.additional_info -> 'email' is distinct from new.additional_info -> 'email')
  execute function queue_duplicate_check();

-- A merge, with what its undo needs: the survivor's fields that changed, as they were and as they became, and the moved notes.
-- It outlives both records, so that an undo can say why it is too late.
create table merges (
  id uuid primary key,
  kind text not null,
  survivor_id uuid not null,
  duplicate_id uuid not null,
  account_id uuid not null references accounts (id),
  before jsonb not null,
  after jsonb not null,
  note_ids uuid[] not null,
  -- The duplicate was found first, so both rows have swapped their creators.
  swaps_finder boolean not null,
  merged_at timestamptz(3) not null default clock_timestamp(),
  undone_at timestamptz(3)
);
create index merges_of_survivor on merges (survivor_id, merged_at desc) where undone_at is null;

-- Recomputes a record's notes and members: its owner, its finders with those of the records merged into it, and the authors of
-- its notes. A merged record has no members.
create function rebuild_record(record uuid) returns void language plpgsql as $$
begin
  update records set notes_count = (select count(*) from notes where record_id = record) where id = record;
  delete from record_members where record_id = record;
  insert into record_members (record_id, kind, account_id, created_at, is_owner, is_finder, notes_count)
  select records.id, records.kind, member, records.created_at, bool_or(is_owner), bool_or(is_finder), sum(noted)
  from records, lateral (
    select owner_of(records.creator_id, records.creator_text) as member, true as is_owner, false as is_finder, 0 as noted
    union all
    select owner_of(merged.creator_id, merged.creator_text), false, true, 0
    from records merged where merged.id in (select id from merged_tree(record)) and merged.id <> record
    union all
    select account_id, false, true, 0 from finders where record_id in (select id from merged_tree(record))
    union all
    select author_id, false, false, 1 from notes where record_id = record
  ) members
  where records.id = record and records.merged_into is null and member is not null
  group by records.id, records.kind, member, records.created_at;
end $$;

-- The creator of a record is its first finder, so a merge or an undo may change it.
create function recount_record() returns trigger language plpgsql as $$
begin
  insert into counters as counter (creator_id, creator_text, kind, added)
  select creator_id, creator_text, kind, sum(change)
  from (
    values (old.creator_id, old.creator_text, old.kind, -1), (new.creator_id, new.creator_text, new.kind, 1)
  ) changes (creator_id, creator_text, kind, change)
  where kind not like 'merged-%'
  group by creator_id, creator_text, kind order by creator_id, creator_text
  on conflict (creator_id, creator_text, kind) do update set added = counter.added + excluded.added;
  return null;
end $$;

create trigger records_recounted after update of creator_id, creator_text, kind on records for each row
  when (old.creator_id is distinct from new.creator_id or old.creator_text is distinct from new.creator_text
    or old.kind <> new.kind)
  execute function recount_record();

-- What follows replaces functions of the baseline: merged records count nowhere. Migration 17 replaces more of them.

create or replace function count_records() returns trigger language plpgsql as $$
begin
  insert into counters as counter (creator_id, creator_text, kind, added)
  select creator_id, creator_text, kind, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed where merged_into is null group by creator_id, creator_text, kind order by creator_id, creator_text
  on conflict (creator_id, creator_text, kind) do update set added = counter.added + excluded.added;
  if tg_op = 'INSERT' then
    insert into record_members (record_id, kind, account_id, created_at, is_owner)
    select id, kind, owner_of(creator_id, creator_text), created_at, true from changed
    where owner_of(creator_id, creator_text) is not null;
  end if;
  return null;
end $$;

create or replace function claim_records() returns trigger language plpgsql as $$
begin
  insert into record_members (record_id, kind, account_id, created_at, is_owner)
  select id, kind, new.id, created_at, true from records
  where creator_id is null and lower(creator_text) = new.email and merged_into is null
  on conflict (record_id, account_id) do update set is_owner = true;
  perform rebuild_record(root) from (
    select distinct merged_root(id) as root from records
    where creator_id is null and lower(creator_text) = new.email and merged_into is not null
  ) roots;
  return null;
end $$;

create or replace function rebuild_derived() returns void language plpgsql as $$
begin
  update records set notes_count = counted.notes
  from (
    select records.id, count(notes.id) as notes from records left join notes on notes.record_id = records.id group by records.id
  ) counted
  where records.id = counted.id and notes_count <> counted.notes;

  delete from record_members;
  delete from counters;
  insert into counters (creator_id, creator_text, kind, added)
  select creator_id, creator_text, kind, count(*) from records where merged_into is null
  group by creator_id, creator_text, kind;
  insert into record_members (record_id, kind, account_id, created_at, is_owner, notes_count)
  select id, kind, account_id, created_at, bool_or(is_owner), sum(notes)
  from (
    select id, kind, owner_of(creator_id, creator_text) as account_id, created_at, true as is_owner, 0 as notes
    from records where merged_into is null
    union all
    select records.id, records.kind, author_id, records.created_at, false, 1
    from notes join records on records.id = record_id
  ) members
  where account_id is not null
  group by id, kind, account_id, created_at;
  perform rebuild_record(root) from (
    select merged_root(record_id) as root from finders
    union
    select merged_root(id) from records where merged_into is not null
  ) roots;
end $$;

drop trigger records_notify_updated on records;
create trigger records_notify_updated after update of version, additional_info, enrichment on records for each row
  when (new.merged_into is null and (old.version <> new.version or old.additional_info is distinct from new.additional_info
    or old.enrichment <> new.enrichment))
  execute function notify_record_update();

-- The actor may name the act, such as a merge, and its details. A note that moves with a merge is part of that act.
create or replace function audit_change() returns trigger language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('sourcebook.actor', true), '')::jsonb;
  action text := case tg_op when 'INSERT' then 'create' when 'UPDATE' then 'update' else 'delete' end;
  entity jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  was jsonb := case when tg_op <> 'INSERT' then audit_facts(to_jsonb(old), tg_argv) end;
  is_now jsonb := case when tg_op <> 'DELETE' then audit_facts(entity, tg_argv) end;
  before jsonb := was;
  after jsonb := is_now;
  detail jsonb;
begin
  if tg_table_name = 'notes' then
    action := case tg_op when 'INSERT' then 'add' else action end || '-note';
    if tg_op = 'DELETE' and not exists (select from records where id = (entity ->> 'record_id')::uuid) then
      detail := '{"with": "its record"}';
    end if;
  elsif tg_op = 'UPDATE' then
    before := audit_difference(was, is_now);
    after := audit_difference(is_now, was);
    if new.enrichment -> 'last' is distinct from old.enrichment -> 'last' then
      action := 'enrich';
      detail := jsonb_strip_nulls(jsonb_build_object(
        'providers', (
          select jsonb_object_agg(key, new.enrichment #> array['sources', key, 'provider'])
          from jsonb_object_keys(coalesce(after, '{}')) key
        ),
        'notice', new.enrichment #> '{last,notice}',
        -- What was found by hints may not be of the record's own keys.
        'hints', new.enrichment #> '{last,hints}'
      ));
    elsif before is null and after is null and new.version = old.version then
      return null;
    end if;
  end if;
  action := coalesce(actor ->> 'action', action);
  if actor ? 'detail' then
    detail := coalesce(detail, '{}') || (actor -> 'detail');
  end if;
  if actor is null then
    detail := coalesce(detail, '{}') || jsonb_build_object('databaseUser', session_user);
  end if;
  insert into audit_log (account_id, account_email, ip, request_id, action, kind, object_id, before, after, detail)
  values (
    (actor ->> 'id')::uuid, actor ->> 'email', actor ->> 'ip', actor ->> 'requestId', action, replace(entity ->> 'kind', 'merged-', ''),
    coalesce(entity ->> 'record_id', entity ->> 'id')::uuid, before, after, detail
  );
  return null;
end $$;
drop trigger notes_audited on notes;
create trigger notes_audited after insert or delete or update of author_id, content on notes
  for each row execute function audit_change('id', 'author_id', 'content');
