import { z } from 'zod'
import { timeZone } from './days.ts'
import { INBOX_COUNT_MAX, INBOX_KEYS_MAX, inboxKindNames } from './inbox-kinds.ts'
import { kindShape } from './kind-shape.ts'
import { listQueryParts, RecordId } from './record.ts'

export const InboxQuery = z.object({
  group: z.enum(['you', 'news'], { error: 'Group must be you or news' }).default('you'),
  state: z.enum(['open', 'done'], { error: 'State must be open or done' }).default('open'),
  limit: listQueryParts.limit,
  cursor: listQueryParts.cursor,
  timeZone,
})
export type InboxQuery = z.infer<typeof InboxQuery>

export const InboxCountQuery = z.object({ timeZone })

export const InboxLine = z.object({
  key: z.string().meta({ description: 'Its kind and its subject' }),
  group: InboxQuery.shape.group.unwrap(),
  kind: z.enum(inboxKindNames),
  record: z.object({ id: z.uuid(), kind: kindShape, name: z.string() }).nullable(),
  by: z
    .object({ id: z.uuid().meta({ description: 'Public id of the account' }), name: z.string() })
    .nullable()
    .meta({ description: 'Who did the last of it' }),
  count: z.int().meta({ description: 'Of what it is about: what is not seen yet, else all that is not done' }),
  sentence: z.string(),
  address: z.string().meta({ description: 'The address of the page that shows it' }),
  lastAt: z.iso.datetime(),
  isRead: z.boolean(),
  doneAt: z.iso.datetime().nullable(),
})
export type InboxLine = z.infer<typeof InboxLine>

export const InboxCount = z.object({
  you: z.int().meta({ description: `Unread lines for the caller, at most ${INBOX_COUNT_MAX}` }),
  news: z.boolean().meta({ description: 'Whether there is unread news' }),
})
export type InboxCount = z.infer<typeof InboxCount>

export const marks = ['read', 'unread', 'done', 'reopen'] as const
export type Mark = (typeof marks)[number]
export const InboxMarkParams = z.object({ mark: z.enum(marks, { error: 'There is nothing at this address' }) })

const KEYS_RULE = 'Keys must be those of lines'
const CHOICE = 'Choose lines by keys, by record or by until'

/** Which lines: some by their keys, those of a record, or all until a time, which is that of an answer. */
export const InboxMark = z
  .object({
    keys: z
      .array(
        z.string({ error: KEYS_RULE }).regex(new RegExp(`^(?:${inboxKindNames.join('|')}):[0-9a-f-]{36}$`), KEYS_RULE),
        { error: KEYS_RULE },
      )
      .min(1, KEYS_RULE)
      .max(INBOX_KEYS_MAX, `Mark at most ${INBOX_KEYS_MAX} lines at a time`)
      .optional(),
    record: RecordId.optional(),
    until: z.iso.datetime({ error: 'Until must be a time, as in X-Seen-Until' }).optional(),
    timeZone,
  })
  .refine((chosen) => [chosen.keys, chosen.record, chosen.until].filter((one) => one !== undefined).length === 1, {
    path: ['keys'],
    error: CHOICE,
  })
export type InboxMark = z.infer<typeof InboxMark>

/** The `X-Seen-Until` of the answer that showed the lines. */
export const SeenUntilHeaders = z.looseObject({
  'x-seen-until': z.iso
    .datetime({ error: 'X-Seen-Until must be the time that the answer had' })
    .optional()
    .meta({ description: 'That of the answer that showed the lines: what came later stays unread' }),
})
