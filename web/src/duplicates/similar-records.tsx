import type { RecordKind } from '#web/records/kind.ts'
import type { FormValues } from '#web/records/record-form.ts'
import { SimilarRecord } from './similar-record.tsx'
import classes from './similar-records.module.css'
import { useSimilarRecords } from './use-similar-records.ts'

type SimilarRecordsProps = {
  kind: RecordKind
  values: FormValues
  /** False while the person has not changed the values. */
  isAsked: boolean
  onDiscard: () => void
}

/** Similar records in an add form. The height is fixed from the start, so that no field moves. */
export const SimilarRecords = ({ kind, values, isAsked, onDiscard }: SimilarRecordsProps) => {
  const similar = useSimilarRecords(kind, values, isAsked)
  return (
    <div className={classes.root}>
      {similar.length === 0 && <p className={classes.none}>Similar {kind.path} appear here.</p>}
      <div role="status">
        {similar.length > 0 && (
          <>
            <p className={classes.title}>Already here?</p>
            <ul className={classes.rows}>
              {similar.map((record) => (
                <SimilarRecord key={record.id} kind={kind} record={record} onDiscard={onDiscard} />
              ))}
            </ul>
          </>
        )}
      </div>
    </div>
  )
}
