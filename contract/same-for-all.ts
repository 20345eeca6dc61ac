import { type Filter, filters } from './filters.ts'

// In a file of its own, because lists do not need it.

const ofReader = new Set(
  Object.values(filters).flatMap(({ isOfReader, parameters }: Filter) => (isOfReader ? Object.keys(parameters) : [])),
)

/** Whether a list with these parameters gives every reader the same records. */
export const isSameForAll = (parameters: Iterable<string>): boolean =>
  ![...parameters].some((name) => ofReader.has(name))
