type Guard<Value> = (value: unknown) => value is Value

/** Checks for each field of an enrichment that it is present and has the type of the contract. */
type Guards<Enrichment> = { [Field in keyof Required<Enrichment>]: Guard<NonNullable<Enrichment[Field]>> }

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Infinity is not a number here: JSON has it for numbers too large for JavaScript. */
export const isNumberOrText = (value: unknown): value is number | string => Number.isFinite(value) || isText(value)

/**
 * Reads the enriched fields from a record's `additionalInfo`. Text that is not JSON gives none, and a field of the
 * wrong type is left out without the others. Without a schema, because lists render before zod is loaded.
 */
export const readAdditionalInfo = <Enrichment>(
  text: string | null,
  guards: Guards<Enrichment>,
): Partial<Enrichment> => {
  const found = parse(text)
  const readable = Object.entries<Guard<unknown>>(guards).filter(([field, isReadable]) => isReadable(found[field]))
  return Object.fromEntries(readable.map(([field]) => [field, found[field]])) as Partial<Enrichment>
}

const parse = (text: string | null): Record<string, unknown> => {
  try {
    const found: unknown = JSON.parse(text ?? '')
    return typeof found === 'object' && found !== null ? { ...found } : {}
  } catch {
    return {}
  }
}
