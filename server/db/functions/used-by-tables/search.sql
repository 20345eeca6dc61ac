-- The grams of four characters of a text, shorter ones at its end, so that an index finds any part of it: four characters and
-- more by their grams, fewer by the grams that begin with them. pg_trgm finds neither two letters nor characters that the
-- database's locale takes for no letters.
create or replace function search_grams(search_text text) returns tsvector language sql immutable as $$
  select array_to_tsvector(array(
    select concat(a, b, c, d) from unnest(letters, letters[2:], letters[3:], letters[4:]) as grams (a, b, c, d)
  ))
  from (select string_to_array(search_text, null) as letters) text
$$;
