import { useQueries } from '@tanstack/react-query'
import { useEffect } from 'react'
import { kinds } from '#web/kinds.ts'
import { type Draft, type DraftSubject, drafts } from '#web/lib/drafts.ts'
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
      results.map(({ data, error, isPending }) => ({
        ...{ data, isPending },
        isGone: error instanceof ApiError && error.status === 404,
      })),
  })
  const answerOf = ({ id = '' }: DraftSubject) => answers[ids.indexOf(id)]
  useEffect(() => {
    // A person who was erased is not named any more, in the stored drafts either.
    for (const { about, drafts: own } of lines.filter((line) => answerOf(line.about)?.isGone)) {
      if (about.name === '' && about.mergedInto === undefined) continue
      const { mergedInto: _gone, ...unnamed } = { ...about, name: '' }
      for (const { form, values, at } of own) {
        // What a correction replaces may be the name.
        const { was: _was, ...typed } = values as { was?: unknown }
        drafts.keep({ account, form }, typed, unnamed, at)
      }
    }
    answers.forEach(({ data }, place) => {
      const id = ids[place]
      const kind = id === undefined ? undefined : wanted.get(id)
      if (id !== undefined && kind && data && data.id !== id) moveDrafts(account, kind, id, data)
    })
  })
  return {
    /** Its present name. Empty while it is not known whether the record is still here, and for one that is gone. */
    nameOf: (about: DraftSubject): string => {
      const answer = about.id === undefined ? undefined : answerOf(about)
      return answer?.isPending || answer?.isGone ? '' : about.name
    },
    isGone: (about: DraftSubject) => answerOf(about)?.isGone ?? false,
    /** A merged record still has drafts only if those of its survivor are in their place. */
    survivorOf: (about: DraftSubject): RecordRow | undefined => {
      const record = answerOf(about)?.data
      return record && record.id !== about.id ? record : undefined
    },
  }
}
