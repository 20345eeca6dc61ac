// Without schemas, so that the dashboard renders before the page has loaded zod.

/** What a fellow may have missed. */
export const sinceKeys = ['founders', 'companies', 'notesOnMine', 'givenToMe', 'awaitingOpinion'] as const
export type SinceKey = (typeof sinceKeys)[number]
