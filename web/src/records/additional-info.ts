import { z } from 'zod'

/**
 * What enrichment found, out of a record's `additionalInfo`. Text that is no JSON says nothing, and a field of the
 * wrong type says nothing of itself: neither takes the other fields with it.
 */
export const readAdditionalInfo = <Shape extends z.core.$ZodLooseShape>(
  text: string | null,
  enrichment: z.ZodObject<Shape>,
): Partial<z.infer<z.ZodObject<Shape>>> => {
  const found = parse(text)
  const readable = Object.entries(enrichment.shape).flatMap(([field, schema]) => {
    const value = z.safeParse(schema, found[field])
    return value.success && value.data !== undefined && value.data !== '' ? [[field, value.data]] : []
  })
  return Object.fromEntries(readable)
}

const parse = (text: string | null): Record<string, unknown> => {
  try {
    const found: unknown = JSON.parse(text ?? '')
    return typeof found === 'object' && found !== null ? { ...found } : {}
  } catch {
    return {}
  }
}
