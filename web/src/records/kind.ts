import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Field } from '#contract/fields.ts'
import type { Kind } from '#contract/kinds.ts'
import type { Links } from './card/record-links.tsx'
import type { RecordForm } from './form/record-form.ts'
import type { RecordRow } from './record-row.ts'

/** The parts of a dashboard row that differ by kind. */
type Brief = { picture?: string | undefined; about: string; link: { label: string; address: string | null } }

/**
 * Everything that the screens need to know about a kind of record. The list of kinds is `kinds.ts`. Functions are
 * written as methods, so that a kind of founders is assignable to a kind of records.
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
  chart: { color: string }
  /** Avatars of people are round, all others square. */
  isSquare: boolean
  /** The field that people fill with a web address. */
  addressField: 'linkedIn' | 'website'
  fields: readonly Field[]
  /** The field that the roles of its links repeat. */
  roleField?: string
  brief(record: Row): Brief
  /** A fact as the page of a record shows it, where it is not shown as it is stored. */
  formatFact?(field: string, value: string): string | undefined
  /** The columns of a table that only this kind has, the most telling one first: it stands below the name on phones. */
  columns: readonly { name: string; text(record: Row): string }[]
  /** The line beside the name. */
  Title(props: { record: Row; search: string }): ReactNode
  /** What its card shows of the record alone. */
  card(record: Row): { about: { what: string; text: string | null | undefined }; links: Links }
  /** Loads the fields and their schemas when a form is opened, so that no list waits for them. */
  loadForm: () => Promise<RecordForm>
}
