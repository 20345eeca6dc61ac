import { z } from 'zod'
import { URL_MAX } from './limits.ts'
import { requiredLine } from './text.ts'

// A webhook is an address that is rung when there is something new in the feed. The ring has no content.

/** How long a ring is waited for, how often one comes at most, the longest pause after failures, and the end of trying. */
export const RING_PATIENCE_SECONDS = 10
export const RING_PAUSE_SECONDS = 2
export const RING_PAUSE_MAX_SECONDS = 3_600
export const RING_DAYS = 3

export const WebhookInput = z.object({ address: requiredLine('Address', URL_MAX) })
export type WebhookInput = z.infer<typeof WebhookInput>

export const WebhookPatch = z.object({
  isConfirmed: z
    .literal(true, { error: 'Confirmed must be true' })
    .meta({ description: 'The caller answers for it from now on. One that is off goes on' }),
})
export type WebhookPatch = z.infer<typeof WebhookPatch>

export const NO_WEBHOOK = 'There is no webhook with this id'
export const WebhookParams = z.object({ id: z.uuid({ error: NO_WEBHOOK }).toLowerCase() })

const fellow = z.object({ id: z.uuid().meta({ description: 'Public id of the account' }), name: z.string() })

export const Webhook = z.object({
  id: z.uuid(),
  address: z.string().meta({ description: 'Masked: its host and its last four characters' }),
  addedBy: fellow.nullable().meta({ description: 'The manager who has added it' }),
  confirmedBy: fellow.nullable().meta({
    description: 'The manager who answers for it. Null once that account is no manager any more: it is not rung',
  }),
  lastSentAt: z.iso.datetime().nullable().meta({ description: 'The last ring that arrived' }),
  failingSince: z.iso.datetime().nullable().meta({ description: 'Since when no ring has arrived' }),
  lastStatus: z.int().nullable().meta({ description: 'What the address answered to the last try. Null: nothing' }),
  offAt: z.iso
    .datetime()
    .nullable()
    .meta({ description: `When it was turned off, after ${RING_DAYS} days in which no ring arrived` }),
})
export type Webhook = z.infer<typeof Webhook>

export const NewWebhook = Webhook.extend({
  secret: z.string().meta({ description: 'What signs its rings, as Standard Webhooks says. It is shown here only' }),
})
export type NewWebhook = z.infer<typeof NewWebhook>

export const WebhookTest = z.object({
  status: z.int().nullable().meta({ description: 'What the address answered; 200 to 299 is a success. Null: nothing' }),
})
export type WebhookTest = z.infer<typeof WebhookTest>

/** What is sent. The documentation of the receiver names it. */
export const Ring = z.object({
  type: z.literal('feed.changed'),
  timestamp: z.iso.datetime(),
  data: z.object({ cursor: z.string().meta({ description: 'What is new comes after this cursor of the feed' }) }),
})
export type Ring = z.infer<typeof Ring>
