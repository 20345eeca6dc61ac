import { z } from 'zod'
import { PICTURE_SIZES } from './limits.ts'

const SIZE_RULE = 'Size must be a whole number of pixels'

export const PictureQuery = z.object({
  size: z
    .string({ error: SIZE_RULE })
    .regex(/^\d{1,4}$/, SIZE_RULE)
    .transform(Number)
    .default(PICTURE_SIZES[0])
    .meta({ description: 'The width in pixels that is shown', type: 'integer' }),
  t: z
    .string({ error: 'T must be given once' })
    .optional()
    .meta({ description: 'When the picture was fetched. It changes with every picture, so caches may keep each one' }),
})
