import * as schema from '#server/db/schema.ts'
import { finderFeature } from './finders/feature.ts'
import { linkFeature } from './links/feature.ts'
import { noteFeature } from './notes/feature.ts'
import { opinionFeature } from './opinions/feature.ts'
import { pipelineFeature } from './pipeline/feature.ts'
import type { RecordFeature } from './records/feature.ts'
import {
  dataIn,
  leftOut,
  noRecordData,
  ofRecord,
  ownData,
  type RecordData,
  role,
  searched,
  shown,
} from './records/record-data.ts'
import { tagFeature } from './tags/feature.ts'

/** The features of records. Lists, the API, its document and exports loop over them. */
export const recordFeatures: RecordFeature[] = [
  noteFeature,
  finderFeature,
  linkFeature,
  opinionFeature,
  tagFeature,
  pipelineFeature,
]

/** The conditions of their filters. */
export const featureFilters = { ...noteFeature.filters, ...pipelineFeature.filters, ...opinionFeature.filters }

/**
 * What all tables hold about records. Merges, their undo, erasures and reports run from this list. A test fails on a column
 * of the database that is not listed.
 */
export const recordData: RecordData[] = [
  ...ownData,
  ...recordFeatures.flatMap(({ data }) => data),
  // What else the product stores.
  dataIn(schema.pictures, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: shown('recordId', 'kind', 'size', 'bytes', 'fetchedAt'),
  }),
  dataIn(schema.follows, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: leftOut('recordId', 'accountId', 'isMuted', 'chosenAt'),
  }),
  dataIn(schema.inboxSeen, {
    ...{ record: ['subject'], merge: 'kept', ...ofRecord },
    report: leftOut('accountId', 'kind', 'subject', 'seenUntil', 'doneUntil'),
  }),
  dataIn(schema.digestRecords, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: { ...shown('recordId', 'namedAt'), ...role('accountId') },
  }),
  dataIn(schema.bulkRows, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: {
      ...shown('bulkId', 'recordId', 'recordTagId', 'isStageChanged', 'stageBefore', 'status', 'isResponsibleChanged'),
      ...shown('isPassed', 'passingText', 'nextStepBefore', 'nextOnBefore'),
      ...role('responsibleBefore'),
      ...leftOut('place', 'error', 'activeAt', 'activeBefore', 'activeBeforeBy'),
    },
  }),
  dataIn(schema.bulkActs, {
    ...{ record: ['id'], through: { from: schema.bulkRows.recordId, to: schema.bulkRows.bulkId } },
    ...{ merge: 'kept', erasure: 'kept' },
    report: {
      ...shown('id', 'setsTag', 'tagId', 'setsStage', 'stageId', 'setsResponsible', 'doneAt', 'undoneAt'),
      ...shown('passes', 'passingReasonId', 'lookAgainOn'),
      ...role('accountId', 'responsibleId'),
    },
  }),
  dataIn(schema.merges, {
    ...{ record: ['survivorId', 'duplicateId'], merge: 'kept', ...ofRecord },
    report: {
      ...shown('id', 'kind', 'survivorId', 'duplicateId', 'before', 'after', 'mergedAt', 'undoneAt'),
      ...role('accountId'),
      ...leftOut('moved', 'swapsFinder'),
    },
  }),
  dataIn(schema.duplicatePairs, {
    ...{ record: ['a', 'b'], merge: 'kept', ...ofRecord },
    report: shown('a', 'b', 'kind', 'reasons', 'score', 'dismissed'),
  }),
  dataIn(schema.duplicateChecks, {
    ...{ record: ['recordId'], merge: 'triggered', ...ofRecord },
    report: { ...shown('recordId'), ...leftOut('changeId', 'priority') },
  }),
  dataIn(schema.dismissals, {
    ...{ record: ['a', 'b'], merge: 'kept', ...ofRecord },
    report: { ...shown('id', 'kind', 'a', 'b', 'dismissedAt', 'undoneAt'), ...role('accountId') },
  }),
  dataIn(schema.importRows, {
    ...{ record: ['recordId'], merge: 'kept', erasure: { emptied: ['cells', 'faults', 'marks', 'before', 'after'] } },
    report: {
      ...shown('importId', 'row', 'cells', 'outcome', 'recordId', 'faults', 'marks', 'before', 'after'),
      ...leftOut('isAdded', 'repeats', 'hasMore', 'isWithheld'),
    },
  }),
  // A file contains whole rows, so it is deleted when one of its people is erased.
  dataIn(schema.importFiles, {
    ...{ record: ['importId'], through: { from: schema.importRows.recordId, to: schema.importRows.importId } },
    ...{ merge: 'kept', ...ofRecord },
    report: { ...shown('importId', 'createdAt'), ...leftOut('piece', 'bytes') },
  }),
  dataIn(schema.auditLog, {
    ...{ record: ['objectId'], merge: 'kept' },
    erasure: { emptied: ['before', 'after', 'detail', 'accountEmail', 'ip'] },
    report: {
      ...shown('id', 'at', 'action', 'kind', 'objectId', 'result', 'before', 'after', 'detail'),
      ...role('accountId', 'accountEmail'),
      ...leftOut('ip', 'requestId', 'exportedCount', 'isActivity', 'transactionId', 'tokenId'),
    },
  }),
  dataIn(schema.deniedRequests, {
    ...{ record: ['objectId'], merge: 'kept', erasure: { emptied: ['accountEmail', 'ip', 'detail'] } },
    report: {
      ...shown('id', 'at', 'action', 'kind', 'objectId', 'detail'),
      ...role('accountEmail'),
      ...leftOut('ip', 'requestId'),
    },
  }),
  dataIn(schema.idempotencyKeys, {
    ...{ record: ['madeId'], merge: 'kept', erasure: 'kept' },
    report: leftOut('accountId', 'key', 'fingerprint', 'madeId', 'madeAt'),
  }),
  noRecordData(schema.accounts, 'id', 'name', 'email', 'emailVerified', 'disabledAt', 'role', 'pendingSince'),
  noRecordData(schema.accounts, 'readmittedAt', 'publicId', 'createdAt', 'updatedAt', 'formerNumber', 'plainHash'),
  noRecordData(schema.accounts, 'leftAt', 'devicesEndedAt', 'noticesSeenAt', 'countsSince', 'inboxSince'),
  noRecordData(schema.doNotKeep, 'hash', 'erasureId'),
  dataIn(schema.overrules, {
    ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
    report: { ...shown('recordId', 'kind'), ...leftOut('hash') },
  }),
  // The ledger has ids and keyed hashes only.
  noRecordData(schema.ledger, 'id', 'at', 'kind', 'facts'),
  noRecordData(schema.attempts, 'key', 'count', 'blockedUntil', 'forgetAt'),
  noRecordData(schema.credentials, 'id', 'accountId', 'provider', 'providerAccount', 'password'),
  noRecordData(schema.credentials, 'createdAt', 'updatedAt'),
  // The samples of an import are values of its rows.
  dataIn(schema.imports, {
    ...{ record: ['id'], through: { from: schema.importRows.recordId, to: schema.importRows.importId } },
    ...{ merge: 'kept', erasure: { emptied: ['inspection', 'doubts', 'unmatched', 'choices', 'error'] } },
    report: {
      ...shown('id', 'fileName', 'columns', 'createdAt'),
      // The dialect of a workbook has the names of its sheets.
      ...searched('dialect', 'inspection', 'doubts', 'unmatched', 'choices', 'error'),
      ...role('accountId'),
      ...leftOut('state', 'kind', 'mapping', 'bytes', 'rest', 'cells', 'dates'),
      ...leftOut('createTags', 'createdTags', 'stateAfterAdding', 'duplicates', 'counts', 'done', 'total'),
      ...leftOut('lastRow', 'startedAt', 'revertedAt', 'step', 'attempts', 'furthestRow', 'workedAt', 'deletedAt'),
      ...leftOut('tokenId'),
    },
  }),
  noRecordData(schema.importVolumes, 'accountId', 'hour', 'bytes'),
  noRecordData(schema.importLookUps, 'importId', 'askedAt', 'queuedAt'),
  noRecordData(schema.invitations, 'id', 'hash', 'email', 'expiresAt', 'createdBy', 'createdAt'),
  noRecordData(schema.oneTimeTokens, 'hash', 'purpose', 'accountId', 'expiresAt', 'email'),
  noRecordData(schema.providerCooldowns, 'provider', 'reason', 'until'),
  noRecordData(schema.recoveryCodes, 'accountId', 'hash'),
  noRecordData(schema.sessions, 'id', 'accountId', 'token', 'expiresAt', 'ipAddress', 'userAgent'),
  noRecordData(schema.sessions, 'createdAt', 'updatedAt', 'confirmedAt', 'signIn'),
  // They are about no record, and may mention people.
  dataIn(schema.savedSearches, {
    ...{ record: [], merge: 'none', erasure: 'kept' },
    report: {
      ...searched('name', 'about', 'query'),
      ...leftOut('id', 'accountId', 'kind', 'isShared', 'isPinned', 'fellowChangedAt', 'createdAt'),
    },
  }),
  // Its name may be that of a person.
  dataIn(schema.accessTokens, {
    ...{ record: [], merge: 'none', erasure: 'kept' },
    report: {
      ...searched('name'),
      ...leftOut('id', 'accountId', 'hash', 'lastFour', 'canExport', 'canWrite', 'createdAt', 'expiresAt'),
      ...leftOut('lastUsedAt', 'lastNetwork', 'endedAt'),
    },
  }),
  noRecordData(schema.tokenReads, 'accountId', 'hour', 'count'),
  noRecordData(schema.searchWatches, 'accountId', 'searchId', 'seenUntil'),
  noRecordData(
    schema.channels,
    'id',
    'name',
    'kind',
    'address',
    'maskedAddress',
    'addedBy',
    'confirmedBy',
    'createdAt',
  ),
  noRecordData(schema.channels, 'nextAt', 'lastSentAt', 'lastFailedAt', 'lastStatus'),
  noRecordData(schema.channelSearches, 'channelId', 'searchId', 'chosenAt', 'seenUntil'),
  noRecordData(
    schema.webhooks,
    'id',
    'address',
    'maskedAddress',
    'secret',
    'cursor',
    'addedBy',
    'confirmedBy',
    'createdAt',
  ),
  noRecordData(schema.webhooks, 'nextAt', 'lastSentAt', 'failures', 'failingSince', 'lastStatus', 'offAt'),
  noRecordData(schema.digests, 'accountId', 'rhythm', 'hasWeek', 'hour', 'timeZone', 'nextAt', 'chosenAt'),
  noRecordData(schema.digestMails, 'accountId', 'day', 'takenAt', 'sentAt'),
  noRecordData(schema.sinceSeen, 'accountId', 'key', 'kind', 'seenUntil'),
  noRecordData(schema.settings, 'key', 'value'),
  noRecordData(schema.twoFactors, 'accountId', 'secret', 'lastStep', 'confirmedAt'),
]
