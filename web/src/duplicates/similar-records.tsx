import { useState } from 'react'
import type { Similar } from '#contract/duplicates.ts'
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
  onMet: (record: Similar) => void
}

/**
 * Similar records in an add form: beside it on wide screens, else below the name. There the space for three is kept once
 * one was found, so that the fields below move once.
 */
export const SimilarRecords = ({ kind, values, isAsked, onMet }: SimilarRecordsProps) => {
  const similar = useSimilarRecords(kind, values, isAsked)
  const [hasFound, setHasFound] = useState(false)
  if (similar.length > 0 && !hasFound) setHasFound(true)
  return (
    <div className={classes.root} data-kept={hasFound || undefined}>
      <p role="status" className={classes.title}>
        {similar.length > 0 && (
          <>
            Already here?
            <span className="visually-hidden">
              {' '}
              {similar.length} similar {similar.length === 1 ? kind.name : kind.path}
            </span>
          </>
        )}
      </p>
      {similar.length > 0 && (
        <ul className={classes.rows} aria-label={`Similar ${kind.path}`}>
          {similar.map((record) => (
            <SimilarRecord key={record.id} kind={kind} record={record} onMet={onMet} />
          ))}
        </ul>
      )}
    </div>
  )
}
