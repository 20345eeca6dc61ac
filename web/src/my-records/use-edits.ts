import { useState } from 'react'
import { z } from 'zod'
import { drafts } from '#web/lib/drafts.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { dropEdit } from './edits.ts'

/** The records that are being edited, as they were when that began. */
export type Edits<Row> = { records: Row[]; begin: (record: Row) => void; end: (id: string) => void }

/**
 * Which cards of a kind are forms just now. Kept with what is typed into them, so that neither another search, nor a
 * deletion elsewhere, nor the end of the session takes it away.
 */
export const useEdits = <Row extends RecordRow>(account: string, noun: string, row: z.ZodType<Row>): Edits<Row> => {
  const place = { account, form: `edits ${noun}` }
  const read = () => z.array(row).safeParse(drafts.read(place)).data ?? []
  const [records, setRecords] = useState(read)

  const change = (records: Row[]) => {
    if (records.length > 0) drafts.keep(place, records)
    else drafts.drop(place)
    setRecords(records)
  }
  const without = (id: string) => read().filter((record) => record.id !== id)

  return {
    records,
    begin: (record) => change([...without(record.id), record]),
    end: (id) => {
      dropEdit(account, id)
      change(without(id))
    },
  }
}
