import { z } from 'zod'
import { Digest } from './digest.ts'
import { listQueryParts } from './record.ts'

// What leaves the house by itself, and whether it does.

export const NAME_MAX_OUTSIDE = 60

export const SendingInput = z.object({
  isPaused: z.boolean({ error: 'Say whether sending is paused' }),
  showsNames: z.boolean({ error: 'Say whether mails have names' }),
})
export type SendingInput = z.infer<typeof SendingInput>

export const Sending = SendingInput.extend({
  isFixed: z.boolean().meta({ description: 'The settings of the server pause sending' }),
  isRestored: z.boolean().meta({ description: 'Paused since this was restored from a backup' }),
  isKeyStored: z
    .boolean()
    .meta({ description: 'The key of encrypted addresses is in the database, and so in each backup' }),
  namesBy: z
    .object({ id: z.uuid().meta({ description: 'Public id of the account' }), name: z.string() })
    .nullable()
    .meta({ description: 'The manager who has turned names on' }),
})
export type Sending = z.infer<typeof Sending>

export const SentMailsQuery = z.object({ limit: listQueryParts.limit, cursor: listQueryParts.cursor })

/** What goes out by itself, and to whom. */
export const SentMail = z.object({
  id: z.uuid().meta({ description: 'Public id of the account' }),
  name: z.string(),
  email: z.string(),
  ...Digest.pick({ when: true, hour: true, timeZone: true, week: true }).shape,
})
export type SentMail = z.infer<typeof SentMail>
