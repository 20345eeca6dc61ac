import { z } from 'zod'
import { PICTURE_SIZES } from './limits.ts'

const SIZE_RULE = 'Size must be a whole number of pixels'

/** `t` is the time when the picture was fetched. It changes with every picture, so caches may keep each one forever. */
export const PictureQuery = z.object({
  size: z
    .string({ error: SIZE_RULE })
    .regex(/^\d{1,4}$/, SIZE_RULE)
    .transform(Number)
    .default(PICTURE_SIZES[0]),
  t: z.string({ error: 'T must be given once' }).optional(),
})
