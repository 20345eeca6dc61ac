import type { Founder } from '#contract/founder.ts'
import {
  deleteFounder,
  founderLists,
  founderNotes,
  getFounder,
  myFounders,
  renewFounder,
  updateFounder,
} from '#web/founders/api.ts'
import { FounderCard } from '#web/founders/founder-card.tsx'
import type { RecordKind } from './record-kind.ts'

export const founderKind: RecordKind<Founder> = {
  noun: 'Founder',
  lists: founderLists,
  notes: founderNotes,
  mine: myFounders,
  get: getFounder,
  update: updateFounder,
  delete: deleteFounder,
  renew: renewFounder,
  notedIds: ({ founderNotes }) => founderNotes.map(({ founderId }) => founderId),
  Card: ({ record, ...others }) => <FounderCard founder={record} {...others} />,
}
