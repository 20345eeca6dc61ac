-- A run that went by hints of its own says so in the history: what it found may not be of the record's own keys.
create or replace function run_detail(enrichment jsonb, fields jsonb) returns jsonb language plpgsql immutable as $$
begin
  return jsonb_strip_nulls(jsonb_build_object(
    'providers', (
      select jsonb_object_agg(key, enrichment #> array['sources', key, 'provider'])
      from jsonb_object_keys(coalesce(fields, '{}')) as key
    ),
    'notice', enrichment #> '{last,notice}',
    'hints', enrichment #> '{last,hints}'
  ));
end $$;
