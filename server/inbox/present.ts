import type { InboxLine } from '#contract/inbox.ts'
import { inboxKinds } from '#contract/inbox-kinds.ts'
import type { Wording, Words } from './kind.ts'
import { allInboxKinds } from './kinds/list.ts'
import type { ListedLine } from './store.ts'

/** Lines on the wire. Each kind finds the words of all its lines at once. */
export async function presentLines(listed: ListedLine[], wording: Wording): Promise<InboxLine[]> {
  const { names } = wording
  const lines = listed.map(({ byName, recordName, ...line }) => ({
    ...line,
    byName: byName && names.fellow(byName),
    recordName: recordName && names.record(recordName, line.recordKind),
  }))
  const words = new Map<string, Words>()
  for (const kind of allInboxKinds) {
    const own = lines.filter((line) => line.kind === kind.name)
    if (own.length === 0) continue
    const given = kind.words === 'in rows' ? own.map((line) => line.words as Words) : await kind.words(own, wording)
    for (const [index, one] of given.entries()) words.set(own[index]?.id ?? '', one)
  }
  return lines.map((line) => presentLine(line, words.get(line.id) as Words, wording))
}

function presentLine(
  line: ListedLine,
  { sentence, address = '/', count = line.count }: Words,
  { kinds }: Wording,
): InboxLine {
  const { kind, subject, recordId, recordName, byId, byName, doneUntil } = line
  const ofRecord = kinds.find(({ name }) => name === line.recordKind)
  const isOfRecord = recordId !== null && ofRecord !== undefined
  return {
    ...{ key: `${kind}:${subject}`, group: inboxKinds[kind], kind },
    record: isOfRecord ? { id: recordId, kind: ofRecord.name, name: recordName ?? '' } : null,
    by: byId === null ? null : { id: byId, name: byName ?? '' },
    ...{ count, sentence, address: isOfRecord ? `/${ofRecord.path}/${recordId}` : address },
    ...{ lastAt: line.lastAt.toISOString(), isRead: line.isRead },
    doneAt: line.isDone && doneUntil !== null ? doneUntil.toISOString() : null,
  }
}
