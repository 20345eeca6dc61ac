-- Outside data. `enrichment` is what is known of a record's runs: which provider gave which field and when, whether a
-- run is under way, how the last one ended. The keys are the normalised form of addresses, for comparing.
alter table founders
  add column linked_in_key text,
  add column enrichment jsonb not null default '{}',
  add column looked_up_at timestamptz(3) not null default now();
create index founders_by_linked_in on founders (linked_in_key, created_at desc, id desc) where linked_in_key is not null;
create index founders_by_look_up on founders (looked_up_at);

alter table companies
  add column domain_key text,
  add column enrichment jsonb not null default '{}',
  add column looked_up_at timestamptz(3) not null default now();
create index companies_by_domain on companies (domain_key, created_at desc, id desc) where domain_key is not null;
create index companies_by_look_up on companies (looked_up_at);

-- Re-encoded to the sizes shown; what a provider sent is not kept.
create table pictures (
  founder_id uuid not null references founders (id) on delete cascade,
  size smallint not null,
  bytes bytea not null,
  fetched_at timestamptz(3) not null,
  primary key (founder_id, size)
);

-- Providers that are left alone for a while, by every process: out of credits, asked too often, or refusing the key.
create table provider_rests (
  provider text primary key,
  reason text not null,
  until timestamptz(3) not null
);

drop trigger founders_tell_updated on founders;
create trigger founders_tell_updated after update on founders for each row
  when (old.version <> new.version or old.additional_info is distinct from new.additional_info
    or old.enrichment <> new.enrichment)
  execute function tell_updated_record('founder');
drop trigger companies_tell_updated on companies;
create trigger companies_tell_updated after update on companies for each row
  when (old.version <> new.version or old.additional_info is distinct from new.additional_info
    or old.enrichment <> new.enrichment)
  execute function tell_updated_record('company');
