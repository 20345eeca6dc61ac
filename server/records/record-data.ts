// The treatment of each column of the database in a merge and an erasure. A test fails on a column that is not listed
// here.

/**
 * `moved`: moves to the survivor. `kept`: stays under the old id. `rebuilt`: computed again. `none`: no record data.
 */
type OnMerge = 'moved' | 'kept' | 'rebuilt' | 'none'

/** `deleted`: deleted with the record. `emptied`: the row stays without the value. `kept`: unchanged. */
type OnErasure = 'deleted' | 'emptied' | 'kept'

export type RecordData = { table: string; columns: string; merge: OnMerge; erasure: OnErasure }

const ofRecord = (table: string, merge: OnMerge, columns: string): RecordData => ({
  ...{ table, columns, merge },
  erasure: 'deleted',
})
const noRecordData = (table: string, columns: string): RecordData => ({
  ...{ table, columns, merge: 'none' },
  erasure: 'kept',
})

export const recordData: RecordData[] = [
  ofRecord('records', 'kept', 'id kind name linked_in website description notes rating creator_id creator_text'),
  ofRecord(
    'records',
    'kept',
    'additional_info enrichment enriched_at created_at version merged_into is_imported is_rated',
  ),
  ofRecord('records', 'kept', 'linked_in_key domain_key search_text search_grams'),
  ofRecord('records', 'rebuilt', 'notes_count is_united'),
  ofRecord('notes', 'moved', 'record_id'),
  ofRecord('notes', 'moved', 'id kind author_id author_text content created_at'),
  ofRecord('pictures', 'kept', 'record_id kind size bytes fetched_at'),
  ofRecord('finders', 'kept', 'record_id account_id fellow_text found_at via'),
  ofRecord('record_members', 'rebuilt', 'record_id kind account_id created_at is_owner is_finder notes_count'),
  ofRecord('merges', 'kept', 'id kind survivor_id duplicate_id account_id before after note_ids swaps_finder'),
  ofRecord('merges', 'kept', 'merged_at undone_at'),
  ofRecord('duplicate_pairs', 'kept', 'a b kind reasons score dismissed'),
  ofRecord('duplicate_checks', 'rebuilt', 'record_id change_id priority'),
  ofRecord('dismissals', 'kept', 'id kind a b account_id dismissed_at undone_at'),
  { table: 'counters', columns: 'creator_id creator_text kind added mine', merge: 'rebuilt', erasure: 'kept' },
  { table: 'import_rows', columns: 'cells faults marks before after', merge: 'kept', erasure: 'emptied' },
  {
    table: 'import_rows',
    columns: 'import_id row outcome record_id repeats is_added',
    merge: 'kept',
    erasure: 'kept',
  },
  // A file contains whole rows, so it is deleted when one of its people is erased.
  ofRecord('import_files', 'kept', 'import_id piece bytes created_at'),
  { table: 'audit_log', columns: 'before after detail account_email ip', merge: 'kept', erasure: 'emptied' },
  { table: 'audit_log', columns: 'id at account_id request_id action kind', merge: 'kept', erasure: 'kept' },
  { table: 'audit_log', columns: 'object_id result', merge: 'kept', erasure: 'kept' },
  { table: 'denied_requests', columns: 'account_email ip detail', merge: 'kept', erasure: 'emptied' },
  { table: 'denied_requests', columns: 'id at request_id action kind object_id', merge: 'kept', erasure: 'kept' },
  { table: 'idempotency_keys', columns: 'made_id', merge: 'kept', erasure: 'kept' },
  noRecordData('idempotency_keys', 'account_id key fingerprint made_at'),
  noRecordData('accounts', 'id name email email_verified disabled_at role pending_since readmitted_at public_id'),
  noRecordData('accounts', 'created_at updated_at'),
  noRecordData('attempts', 'key count blocked_until forget_at'),
  noRecordData('credentials', 'id account_id provider provider_account password created_at updated_at'),
  noRecordData('imports', 'id account_id file_name state kind dialect columns mapping duplicates counts done total'),
  noRecordData('imports', 'last_row error started_at created_at bytes inspection rest cells dates doubts'),
  noRecordData('imports', 'state_after_adding reverted_at'),
  noRecordData('imports', 'step attempts furthest_row worked_at deleted_at'),
  noRecordData('import_volumes', 'account_id hour bytes'),
  noRecordData('import_look_ups', 'import_id asked_at queued_at'),
  noRecordData('invitations', 'id hash email expires_at'),
  noRecordData('one_time_tokens', 'hash purpose account_id expires_at'),
  noRecordData('provider_cooldowns', 'provider reason until'),
  noRecordData('recovery_codes', 'account_id hash'),
  noRecordData('schema_migrations', 'number name applied_at'),
  noRecordData('sessions', 'id account_id token expires_at ip_address user_agent created_at updated_at'),
  noRecordData('settings', 'key value'),
  noRecordData('two_factors', 'account_id secret last_step confirmed_at'),
]

/** The columns of a table by their treatment in a merge. */
export const columnsThatMerge = (table: string, merge: OnMerge): string[] =>
  recordData.filter((data) => data.table === table && data.merge === merge).flatMap(({ columns }) => columns.split(' '))
