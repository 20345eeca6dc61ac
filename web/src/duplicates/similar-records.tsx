import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Similar } from '#contract/duplicates.ts'
import { NAME_MAX, URL_MAX } from '#contract/limits.ts'
import { completeAddress, isVisible, isWebAddress, lengthOf } from '#contract/plain-text.ts'
import type { FormValues } from '#web/records/form/record-form.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { listSimilar } from './api.ts'
import { SimilarRecord } from './similar-record.tsx'
import classes from './similar-records.module.css'

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

/** The delay in milliseconds between the last key and the search for similar records. */
const RESTS_AFTER = 300

/** The records that are similar to the one in the form. */
const useSimilarRecords = (kind: RecordKind, values: FormValues, isAsked: boolean) => {
  const [name] = useDebouncedValue(nameIn(values), RESTS_AFTER)
  const [address] = useDebouncedValue(addressIn(values, kind), RESTS_AFTER)
  const isTyped = isAsked && (name !== '' || address !== '')
  const { data = [] } = useQuery({ ...listSimilar(kind, { name, address }), enabled: isTyped })
  // A disabled query still has its last result.
  return isTyped ? data : []
}

const nameIn = ({ name }: FormValues) => {
  const text = String(name).trim()
  return isVisible(text) && lengthOf(text) <= NAME_MAX ? text : ''
}

const addressIn = (values: FormValues, { addressField }: RecordKind) => {
  const address = completeAddress(String(values[addressField]).trim())
  return isWebAddress(address) && lengthOf(address) <= URL_MAX ? address : ''
}
