type Guard<Value> = (value: unknown) => value is Value

/** How to tell for each field of an enrichment that it is there, and of the type that the contract gives it. */
type Guards<Enrichment> = { [Field in keyof Required<Enrichment>]: Guard<NonNullable<Enrichment[Field]>> }

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** A number too large for JavaScript is none. */
export const isNumberOrText = (value: unknown): value is number | string => Number.isFinite(value) || isText(value)

/**
 * Reads what enrichment found, out of a record's `additionalInfo`. Text that is no JSON says nothing, and a field of the
 * wrong type says nothing of itself: neither takes the other fields with it. By hand, since a list is to be drawn before
 * the page has what schemas need.
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
