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
import { ownFile } from '#web/ui/own-file.ts'
import type { RecordKind } from './record-kind.ts'

export const founderKind: RecordKind<Founder> = {
  noun: 'Founder',
  schemas: ownFile(async () => {
    const { Founder, FounderPatch } = await import('#contract/founder.ts')
    return { row: Founder, patch: FounderPatch }
  }),
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
