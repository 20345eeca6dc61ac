import type { SQL } from 'drizzle-orm'
import type { InboxKindName } from '#contract/inbox-kinds.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import type { RecordKind } from '#server/records/kind.ts'

/** Whose inbox it is, and what today is for them. */
export type Reader = { caller: Account; timeZone: string }

/** A line as one statement reads it. */
export type LineRow = {
  kind: InboxKindName
  subject: string
  recordId: string | null
  recordKind: RecordKind['name'] | null
  recordName: string | null
  byId: string | null
  byName: string | null
  lastAt: Date
  count: number
  isRead: boolean
  isDone: boolean
  /** When it begins, for the words: what was before does not count, whatever was seen. */
  since: Date | null
  seenUntil: Date | null
  doneUntil: Date | null
  words: Words | null
}

/** Where lines come from that are computed outside the statement. */
export type Sources = { db: Database; secret: string; kinds: readonly RecordKind[]; names: Names }

/** Where the words of a line come from. */
export type Wording = Sources & { reader: Reader }

/** How a sentence names fellows, records, and words of lists such as stages. */
export type Names = {
  fellow: (name: string) => string
  record: (name: string, kind: string | null) => string
  word: (name: string) => string
  /** The new value of a field. */
  value: (field: string, value: string) => string
}

/** On the page of the reader. */
export const namesOnPage: Names = {
  fellow: (name) => name,
  record: (name) => name,
  word: (name) => name,
  value: (field, value) => `new ${field} ${value}`,
}

/** A kind of line. `kinds/list.ts` lists all of them. */
export type InboxKind = {
  name: InboxKindName
  /**
   * The rows of which its lines consist, in one statement: `own`, the record or the act of which it is remembered that it was seen;
   * `subject`, that of the line, which a merge or an act may unite from several; `record` or null; `at` and `by`. A line whose rows
   * have records that are not its subject names one only if there is no other.
   */
  rows: (reader: Reader, sources: Sources) => SQL | Promise<SQL>
  /** Each of its lines has one row. */
  isOfOneRow?: true
  /** The kind that what was seen of its rows is kept for, where that is another. */
  seenAs?: InboxKindName
  /**
   * When the line of a subject begins: without anything after it there is none. Asked last, for as many lines as are wanted, because
   * it may cost more than the rows.
   */
  beginsAt?: (reader: Reader, subject: SQL) => SQL
  /** None of its lines is about one record. */
  isOfNoRecord?: true
  /** Not in the numbers of unread lines, which every page asks for. */
  isNotCounted?: true
  /** Whether its number is that of all of them, also of those that were seen. */
  countsAll?: true
  /** The words of these lines, in their order. Or they are in the column `words` of its rows, of which each line has one. */
  words: 'in rows' | ((lines: LineRow[], wording: Wording) => Words[] | Promise<Words[]>)
}

/** A sentence, and the page and the number of a line that is not about one record. */
export type Words = { sentence: string; address?: string | undefined; count?: number }

/** A fellow at the beginning of a sentence. Without one the product, or the operator, has done it. */
export const whoDid = ({ byName }: LineRow): string => byName ?? 'Sourcebook'
