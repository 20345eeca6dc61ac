import * as schema from '#server/db/schema.ts'
import type { RecordFeature } from '#server/records/feature.ts'
import { dataIn, leftOut, noRecordData, ofRecord, role, shown } from '#server/records/record-data.ts'
import { pipelineFilters } from './filters.ts'
import { pipelineListRoutes } from './list-routes.ts'
import { pipelineRoutes } from './routes.ts'

export const pipelineFeature = {
  heading: { name: 'Pipeline', description: 'Stages, statuses, responsible fellows and next steps of records.' },
  routes: [pipelineRoutes, pipelineListRoutes],
  data: [
    dataIn(schema.stageChanges, {
      ...{ record: ['recordId'], merge: 'kept', addedByMerge: 'mergeId', ...ofRecord },
      report: {
        ...shown('id', 'recordId', 'kind', 'stageId', 'enteredAt', 'leftAt'),
        ...role('accountId', 'leftBy'),
        ...leftOut('mergeId', 'actId', 'statusBefore', 'replaced'),
      },
    }),
    // They stay under the id that calendars know.
    dataIn(schema.endedSteps, {
      ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
      report: { ...shown('id', 'recordId', 'nextOn', 'endedAt'), ...role('accountId'), ...leftOut('sequence') },
    }),
    dataIn(schema.pipelineCounts, {
      ...{ merge: 'triggered', erasure: 'kept' },
      report: leftOut('kind', 'stageId', 'status', 'count'),
    }),
    noRecordData(schema.stages, 'id', 'name', 'position', 'limitDays', 'archivedAt'),
    noRecordData(schema.passingReasons, 'id', 'name', 'position', 'lookAgain', 'removedAt'),
    dataIn(schema.assignments, {
      ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
      report: {
        ...shown('recordId', 'assignedAt'),
        ...role('accountId', 'assignedBy'),
        ...leftOut('actId', 'isImported'),
      },
    }),
    dataIn(schema.passings, {
      ...{ record: ['recordId'], merge: 'kept', ...ofRecord },
      report: { ...shown('recordId', 'passedAt'), ...role('passedBy') },
    }),
  ],
  filters: pipelineFilters,
} satisfies RecordFeature
