import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { MyNotes } from '#contract/note.ts'
import type { NotesPlace } from '#web/notes/api.ts'
import type { CardSlots } from '#web/records/card-slots.ts'
import type { listQuery } from '#web/records/list-query.ts'
import type { recordQuery } from '#web/records/record-query.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import type { Refreshing } from '#web/records/use-refresh.ts'
import type { schemas } from './schemas.ts'

export type RecordPatch = { notes: string; rating: number; version: number }

type CardProps<Row> = { record: Row; search: string; refreshing: Refreshing; own: CardSlots }

/** What My Records needs to know of a kind of record. */
export type RecordKind<Row extends RecordRow> = {
  /** As sentences begin with it. */
  noun: keyof typeof schemas
  lists: QueryKey
  notes: NotesPlace
  mine: (search: string) => ReturnType<typeof listQuery<Row>>
  get: (id: string) => ReturnType<typeof recordQuery<Row>>
  update: (id: string, patch: RecordPatch) => Promise<Row>
  delete: (id: string) => Promise<void>
  renew: (client: QueryClient, id: string) => Promise<void>
  notedIds: (notes: MyNotes) => string[]
  Card: (props: CardProps<Row>) => ReactNode
}
