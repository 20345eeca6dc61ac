import type { EnrichmentState } from '#server/db/schema.ts'

// The sources of values that people gave. Every other source is a provider.

/** The source of values from an imported file. */
export const IMPORT = 'import'

/** The source of values that a person typed. */
export const PERSON = 'person'

type Sourced = Pick<EnrichmentState, 'sources'>

/** Whether a value comes from a file that a person imported. */
export const isImported = ({ sources }: Sourced, field: string): boolean => sources?.[field]?.provider === IMPORT

/** Whether a person gave a value, by a file or a correction, so that no provider overwrites it. */
export const isFromPerson = (state: Sourced, field: string): boolean =>
  isImported(state, field) || state.sources?.[field]?.provider === PERSON

/** The fields whose values providers found. */
export const providedFields = (state: Sourced): string[] =>
  Object.keys(state.sources ?? {}).filter((field) => !isFromPerson(state, field))
