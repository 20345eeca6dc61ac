-- Names of records have no marks that turn the direction of text, as names of people. The history shows what each name was.
update records set name = btrim(translate(name, U&'\202A\202B\202C\202D\202E\2066\2067\2068\2069', ''))
where name ~ U&'[\202A-\202E\2066-\2069]';

-- What the undo of a merge writes, and what it compares.
update merges set before = jsonb_set(before, '{name}', to_jsonb(btrim(translate(before ->> 'name', U&'\202A\202B\202C\202D\202E\2066\2067\2068\2069', ''))))
where before ->> 'name' ~ U&'[\202A-\202E\2066-\2069]';
update merges set after = jsonb_set(after, '{name}', to_jsonb(btrim(translate(after ->> 'name', U&'\202A\202B\202C\202D\202E\2066\2067\2068\2069', ''))))
where after ->> 'name' ~ U&'[\202A-\202E\2066-\2069]';

-- Of several open invitations to an address only the newest is valid.
delete from invitations where email is not null and exists (
  select from invitations newer where newer.email = invitations.email
    and (newer.created_at, newer.id) > (invitations.created_at, invitations.id));
