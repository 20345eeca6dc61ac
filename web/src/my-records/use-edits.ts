import { use, useState } from 'react'
import { drafts } from '#web/lib/drafts.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { dropEdit } from './edits.ts'
import type { RecordKind } from './record-kind.ts'

let schemas: Promise<typeof import('./schemas.ts')> | undefined
/** Always the same promise, as `use` needs. */
const loadSchemas = () => {
  schemas ??= import('./schemas.ts')
  return schemas
}

/** The records that are being edited, as they were when that began. */
export type Edits<Row> = { records: Row[]; begin: (record: Row) => void; end: (id: string) => void }

/**
 * Which cards of a kind are forms just now. Kept with what is typed into them, so that neither another search, nor a
 * deletion elsewhere, nor the end of the session takes it away.
 */
export const useEdits = <Row extends RecordRow>(account: string, noun: RecordKind<Row>['noun']): Edits<Row> => {
  const place = { account, form: `edits ${noun}` }
  const [kept] = useState(() => drafts.read(place))
  // Another build of the page may have kept them, in a shape of its own.
  const row = kept === null ? undefined : use(loadSchemas()).schemas[noun].row
  const [records, setRecords] = useState(() => {
    const isWhole = row?.array().safeParse(kept).success
    if (!isWhole) drafts.drop(place)
    return isWhole ? (kept as Row[]) : []
  })

  const change = (records: Row[]) => {
    if (records.length > 0) drafts.keep(place, records)
    else drafts.drop(place)
    setRecords(records)
  }
  // As it is kept now, not as it was drawn last: two may end at once.
  const without = (id: string) => ((drafts.read(place) ?? []) as Row[]).filter((record) => record.id !== id)

  return {
    records,
    begin: (record) => change([...without(record.id), record]),
    end: (id) => {
      dropEdit(account, id)
      change(without(id))
    },
  }
}
