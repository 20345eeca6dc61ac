import { kinds } from './kinds.ts'

// Without schemas, so that the dashboard renders before the page has loaded zod.

/** What a fellow may have missed, each cleared once it was seen. */
export const seenKeys = [...kinds.map(({ path }) => path), 'notesOnMine', 'givenToMe'] as const
export type SeenKey = (typeof seenKeys)[number]

/** Also what waits for the fellow, and goes down as the fellow judges. */
export const sinceKeys = [...seenKeys, 'awaitingOpinion'] as const
export type SinceKey = (typeof sinceKeys)[number]
