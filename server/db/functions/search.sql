create or replace function set_search_grams() returns trigger language plpgsql as $$
begin
  new.search_grams := search_grams(new.search_text);
  return new;
end $$;

create or replace trigger records_search_grams before insert or update of search_text on records
  for each row execute function set_search_grams();
