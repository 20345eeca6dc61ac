-- Since when no record has the tag, as far as the upkeep has seen it.
alter table tags add column unused_since timestamptz(3);
