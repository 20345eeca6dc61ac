import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Kind } from '#contract/kinds.ts'
import type { CardSlots } from './card-slots.ts'
import type { FieldLabels } from './provenance-words.ts'
import type { RecordForm } from './record-form.ts'
import type { RecordRow } from './record-row.ts'

export type CardProps<Row extends RecordRow = RecordRow> = { record: Row; search: string; slots: CardSlots }

/** What a row of the dashboard shows of a record besides what all records have. */
type Brief = { picture?: string | undefined; link: { label: string; address: string | null } }

/**
 * All that the screens need to know of one kind of record; the list of kinds is `kinds.ts`. Functions are written as
 * methods, so that a kind of founders is a kind of records too.
 */
export type RecordKind<Row extends RecordRow = RecordRow> = Kind & {
  icons: { search: TablerIcon; count: TablerIcon; nothingYet: TablerIcon; noMatch: TablerIcon }
  texts: {
    searchPlaceholder: string
    nothingYet: string
    add: string
    addedAndEnriched: string
    refreshed: (name: string) => string
  }
  chart: { color: string; isStriped: boolean }
  /** The avatar of a person is round, of anything else square. */
  isSquare: boolean
  /** What people call the fields that outside data fills, in the order shown. */
  fieldLabels: FieldLabels
  brief(record: Row): Brief
  /** What is said beside the name, if anything is known. */
  Title(props: { record: Row; search: string }): ReactNode
  Card(props: CardProps<Row>): ReactNode
  /** The fields and their rules come when a form is opened: no list waits for schemas. */
  loadForm: () => Promise<RecordForm>
}
