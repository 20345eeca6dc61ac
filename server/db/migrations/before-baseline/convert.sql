-- Copies everything from the tables before the baseline, which stand in the schema before_baseline, into the baseline's own.
-- Indexes, references and triggers of the new tables are off meanwhile, so derived rows are copied too.

create function pg_temp.as_json(info text) returns jsonb language plpgsql as $$
begin
  return info::jsonb;
exception when others then
  return to_jsonb(info);
end $$;

-- Grams also held the week of their record.
create function pg_temp.week_mark(created_at timestamptz) returns text language sql stable as $$
  select E'\x1f' || floor(extract(epoch from created_at) / 604800)
$$;

insert into settings (key, value) select key, value from before_baseline.settings;

insert into accounts (
  id, name, email, email_verified, disabled_at, created_at, updated_at, role, pending_since, readmitted_at
)
select id, name, email, email_verified, disabled_at, created_at, updated_at, role, pending_since, readmitted_at
from before_baseline.accounts;

insert into invitations (id, hash, email, expires_at) select id, hash, email, expires_at from before_baseline.invitations;

insert into sessions (id, account_id, token, expires_at, ip_address, user_agent, created_at, updated_at)
select id, account_id, token, expires_at, ip_address, user_agent, created_at, updated_at from before_baseline.sessions;

insert into credentials (id, account_id, provider, provider_account, password, created_at, updated_at)
select id, account_id, provider, provider_account, password, created_at, updated_at from before_baseline.credentials;

insert into one_time_tokens (hash, purpose, account_id, expires_at)
select hash, purpose, account_id, expires_at from before_baseline.one_time_tokens;

insert into two_factors (account_id, secret, last_step, confirmed_at)
select account_id, secret, last_step, confirmed_at from before_baseline.two_factors;

insert into recovery_codes (account_id, hash) select account_id, hash from before_baseline.recovery_codes;

insert into attempts (key, count, blocked_until, forget_at)
select key, count, blocked_until, forget_at from before_baseline.tries;

insert into idempotency_keys (account_id, key, fingerprint, made_id, made_at)
select account_id, key, fingerprint, made_id, made_at from before_baseline.made_once;

insert into records (
  id, kind, name, linked_in, notes, rating, creator_id, creator_text, additional_info, enrichment, enriched_at,
  linked_in_key, search_text, search_grams, version, created_at, notes_count
)
select
  id, 'founder', name, linked_in, notes, rating, creator_id, creator_text, pg_temp.as_json(additional_info), enrichment,
  looked_up_at, linked_in_key, search_text, ts_delete(search_grams, pg_temp.week_mark(created_at)), version, created_at, notes_count
from before_baseline.founders;

insert into records (
  id, kind, name, website, description, linked_in, notes, rating, creator_id, creator_text, additional_info, enrichment,
  enriched_at, domain_key, search_text, search_grams, version, created_at, notes_count
)
select
  id, 'company', name, website, description, linked_in, notes, rating, creator_id, creator_text,
  pg_temp.as_json(additional_info), enrichment, looked_up_at, domain_key, search_text, ts_delete(search_grams, pg_temp.week_mark(created_at)), version,
  created_at, notes_count
from before_baseline.companies;

insert into notes (id, record_id, kind, author_id, content, created_at)
select id, coalesce(founder_id, company_id), case when founder_id is null then 'company' else 'founder' end, author_id,
  content, created_at
from before_baseline.notes;

insert into pictures (record_id, kind, size, bytes, fetched_at)
select founder_id, 'founder', size, bytes, fetched_at from before_baseline.pictures;

insert into provider_cooldowns (provider, reason, until) select provider, reason, until from before_baseline.provider_rests;

insert into record_members (record_id, kind, account_id, created_at, is_owner, notes_count)
select founder_id, 'founder', account_id, created_at, is_owner, notes_count from before_baseline.founder_fellows
union all
select company_id, 'company', account_id, created_at, is_owner, notes_count from before_baseline.company_fellows;

insert into counters (creator_id, creator_text, kind, added, mine)
select creator_id, creator_text, 'founder', founders, my_founders from before_baseline.tallies
where founders + my_founders > 0
union all
select creator_id, creator_text, 'company', companies, my_companies from before_baseline.tallies
where companies + my_companies > 0;

insert into audit_log (
  id, at, account_id, account_email, ip, request_id, action, kind, object_id, result, before, after, detail
)
select id, at, account_id, account_email, ip, request_id, action, kind, object_id, result, before, after, detail
from before_baseline.history;

select setval('audit_order', last_value) from before_baseline.history_order where is_called;

insert into denied_requests (id, at, account_email, ip, request_id, action, kind, object_id, detail)
select id, at, account_email, ip, request_id, action, kind, object_id, detail from before_baseline.denied_requests;
