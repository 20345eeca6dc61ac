import { z } from 'zod'

// Schemas that never refuse a record because of one field. They only locate the fields; the mappings read them.

/** A value of any kind, or none. */
export const field = z.unknown().optional()

/** An object of fields. Anything else counts as an empty one. */
export const part = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const object = z.object(shape)
  return object.catch(() => object.parse({}))
}

/** A list of parts. Anything else counts as an empty one. */
export const list = <Part extends z.ZodType>(item: Part) => z.array(item).catch([])
