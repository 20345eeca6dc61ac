import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { NAME_MAX, URL_MAX } from '#contract/limits.ts'
import { completeAddress, isVisible, isWebAddress, lengthOf } from '#contract/plain-text.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { FormValues } from '#web/records/record-form.ts'
import { listSimilar } from './api.ts'

/** The delay in milliseconds between the last key and the search for similar records. */
const RESTS_AFTER = 300

/** The records that are similar to the one in the form. */
export const useSimilarRecords = (kind: RecordKind, values: FormValues, isAsked: boolean) => {
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
