import { z } from 'zod'
import { channelKindNames } from './channel-addresses.ts'
import { CHANNEL_NAME_MAX, SHARED_SEARCHES_MAX, URL_MAX } from './limits.ts'
import { NO_SEARCH } from './saved-search.ts'
import { requiredLine, requiredName } from './text.ts'

// A channel is a chat that gets the Monday list and shared searches, at most one message a day.

/** The number of searches of a channel. A message names each. */
export const CHANNEL_SEARCHES_MAX = SHARED_SEARCHES_MAX

export const ChannelInput = z.object({
  name: requiredName('Name', CHANNEL_NAME_MAX),
  kind: z.enum(channelKindNames, { error: 'Kind must be slack or teams' }),
  address: requiredLine('Address', URL_MAX),
})
export type ChannelInput = z.infer<typeof ChannelInput>

export const ChannelPatch = z
  .object({
    searches: z
      .array(z.uuid({ error: NO_SEARCH }).toLowerCase(), { error: 'Searches must be a list' })
      .max(CHANNEL_SEARCHES_MAX, `A channel has at most ${CHANNEL_SEARCHES_MAX} searches`)
      .meta({ description: 'Ids of shared searches. They replace those before' }),
    isConfirmed: z
      .literal(true, { error: 'Confirmed must be true' })
      .meta({ description: 'The caller answers for it from now on' }),
  })
  .partial()
export type ChannelPatch = z.infer<typeof ChannelPatch>

export const NO_CHANNEL = 'There is no channel with this id'
export const ChannelParams = z.object({ id: z.uuid({ error: NO_CHANNEL }).toLowerCase() })

/** Why a search of a channel is not in its messages. */
const offReasons = ['changed', 'creator_left'] as const

const fellow = z.object({ id: z.uuid().meta({ description: 'Public id of the account' }), name: z.string() })

export const Channel = z.object({
  id: z.uuid(),
  name: z.string(),
  kind: z.enum(channelKindNames),
  address: z.string().meta({ description: 'Masked: its host and its last four characters' }),
  addedBy: fellow.nullable().meta({ description: 'The manager who has added it' }),
  confirmedBy: fellow.nullable().meta({
    description: 'The manager who answers for it. Null once that account is no manager any more: nothing is sent',
  }),
  searches: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      off: z.enum(offReasons).nullable().meta({
        description:
          '`changed`: someone who is no manager has changed its name or its query. `creator_left`: its fellow has left',
      }),
    }),
  ),
  lastSentAt: z.iso.datetime().nullable(),
  lastFailedAt: z.iso.datetime().nullable().meta({ description: 'Of a try after the last message' }),
  lastStatus: z.int().nullable().meta({ description: 'What the address answered to the last try. Null: nothing' }),
})
export type Channel = z.infer<typeof Channel>

export const ChannelTest = z.object({
  status: z.int().nullable().meta({ description: 'What the address answered; 200 to 299 is a success. Null: nothing' }),
})
export type ChannelTest = z.infer<typeof ChannelTest>
