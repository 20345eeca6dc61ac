-- What values of a file stand for that the product does not know by name (choices, null until a person has looked), whether its
-- unknown tags are created, the unknown values, and the tags that the import has created.
alter table imports
  add column choices jsonb,
  add column create_tags boolean not null default false,
  add column unmatched jsonb not null default '{}',
  add column created_tags jsonb not null default '[]';
