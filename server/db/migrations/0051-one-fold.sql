-- Texts that are compared are folded further: ß as ss, æ as ae, apostrophes, quotes and hyphens as the plain ones, and nothing
-- invisible. Indexes keep the words and keys of names. Names that change are compared with all others.
insert into duplicate_checks (record_id, priority)
select id, 0 from records
where kind in ('founder', 'company') and fold_again(split_part(search_text, E'\x1f', 1)) <> split_part(search_text, E'\x1f', 1)
on conflict do nothing;

-- A restore of a backup has no triggers yet.
update records set search_text = fold_again(search_text), search_grams = search_grams(fold_again(search_text))
where fold_again(search_text) <> search_text;

update records set mention_text = fold_again(mention_text)
where fold_again(mention_text) <> mention_text;

update notes set search_text = fold_again(search_text)
where fold_again(search_text) <> search_text;

-- A tag whose name another one has now keeps its key, so that none is lost.
update tags set key = fold_again(key)
where fold_again(key) <> key and not exists (select from tags other where other.key = fold_again(tags.key))
  and id in (select min(id::text)::uuid from tags group by fold_again(key));
