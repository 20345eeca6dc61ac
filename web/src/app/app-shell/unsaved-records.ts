import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { kinds } from '#web/kinds.ts'
import type { Draft, DraftSubject } from '#web/lib/drafts.ts'
import { ApiError } from '#web/lib/http.ts'
import { addPath, recordPath } from '#web/paths.ts'
import { moveDrafts } from '#web/record-page/move-drafts.ts'
import { getRecord } from '#web/records/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'

/** The drafts of one line: a note, a form, or all changes of one record. */
export type Unsaved = { key: string; kind: RecordKind; about: DraftSubject; to: string; drafts: Draft[] }

const keyOf = ({ what, kind, id = '' }: DraftSubject) => `${what} ${kind} ${id}`

/** One line for each note and form, and one for all changes of a record. */
export function linesOf(begun: Draft[]): Unsaved[] {
  const lines = new Map<string, Unsaved>()
  for (const draft of begun) {
    const { about } = draft
    const kind = kinds.find(({ name }) => name === about.kind)
    if (!kind) continue
    const to = about.id === undefined ? addPath(kind) : recordPath(kind, { id: about.id })
    const key = keyOf(about)
    const line = lines.get(key) ?? { key, kind, about, to, drafts: [] }
    lines.set(key, { ...line, drafts: [...line.drafts, draft] })
  }
  return [...lines.values()]
}

/** What has become of the records. The drafts of one that was merged move to its survivor. */
export function useRecords(account: string, lines: Unsaved[]) {
  const wanted = new Map(lines.flatMap(({ kind, about: { id } }) => (id === undefined ? [] : [[id, kind] as const])))
  const ids = [...wanted.keys()]
  const answers = useQueries({
    queries: [...wanted].map(([id, kind]) => getRecord(kind, id)),
    combine: (results) =>
      results.map(({ data, error }) => ({ data, isGone: error instanceof ApiError && error.status === 404 })),
  })
  useEffect(() => {
    answers.forEach(({ data }, place) => {
      const id = ids[place]
      const kind = id === undefined ? undefined : wanted.get(id)
      if (id !== undefined && kind && data && data.id !== id) moveDrafts(account, kind, id, data)
    })
  })
  const answerOf = ({ id = '' }: DraftSubject) => answers[ids.indexOf(id)]
  return {
    isGone: (about: DraftSubject) => answerOf(about)?.isGone ?? false,
    /** A merged record still has drafts only if those of its survivor are in their place. */
    survivorOf: (about: DraftSubject): RecordRow | undefined => {
      const record = answerOf(about)?.data
      return record && record.id !== about.id ? record : undefined
    },
  }
}
