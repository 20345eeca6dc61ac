import { Founder, FounderPatch } from '#contract/founder.ts'
import { deleteFounder, founderLists, founderNotes, getFounder, myFounders, updateFounder } from '#web/founders/api.ts'
import { FounderCard } from '#web/founders/founder-card.tsx'
import type { RecordKind } from './record-kind.ts'

export const founderKind: RecordKind<Founder> = {
  noun: 'Founder',
  row: Founder,
  patch: FounderPatch,
  lists: founderLists,
  notes: founderNotes,
  mine: myFounders,
  get: getFounder,
  update: updateFounder,
  delete: deleteFounder,
  notedIds: ({ founderNotes }) => founderNotes.map(({ founderId }) => founderId),
  Card: ({ record, ...others }) => <FounderCard founder={record} {...others} />,
}
