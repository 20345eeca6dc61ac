import { z } from 'zod'

/** The sizes in which pictures are shown, in pixels: 56 at one, two and three pixels of the screen each. */
export const PICTURE_SIZES = [56, 112, 168] as const

const SIZE_RULE = 'Size must be a whole number of pixels'

/** `t` is when the picture was fetched: it changes with every picture, so that caches may keep each for ever. */
export const PictureQuery = z.object({
  size: z
    .string({ error: SIZE_RULE })
    .regex(/^\d{1,4}$/, SIZE_RULE)
    .transform(Number)
    .default(PICTURE_SIZES[0]),
  t: z.string({ error: 'T must be given once' }).optional(),
})
