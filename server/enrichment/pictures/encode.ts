import { PICTURE_SIZES } from '#contract/limits.ts'

const LARGEST = Math.max(...PICTURE_SIZES)

/** WebP, one file per size, without the metadata of the original. */
export type EncodedPicture = { size: (typeof PICTURE_SIZES)[number]; bytes: Buffer }[]

/** Limits of a picture before encoding. Phone cameras take 12 megapixels; 16 need up to 80 MB. */
export const PICTURE_BYTES_MAX = 2 * 1024 * 1024
const PIXELS_MAX = 16_000_000
const SECONDS_MAX = 5

export class PictureRefused extends Error {
  override name = 'PictureRefused'

  constructor(cause?: unknown) {
    super('This picture cannot be shown', { cause })
  }
}

/**
 * Reads PNG, JPEG, WebP or GIF (the first frame) and encodes it again: upright, cropped to a square around the most
 * salient part. One at a time across all callers. Throws `PictureRefused` for anything else.
 */
export function encodePicture(bytes: Buffer): Promise<EncodedPicture> {
  const encoding = before.then(() => encode(bytes))
  before = encoding.catch(() => {})
  return encoding
}

let before: Promise<unknown> = Promise.resolve()

async function encode(bytes: Buffer): Promise<EncodedPicture> {
  try {
    if (bytes.length > PICTURE_BYTES_MAX) throw new Error('It is too long')
    if (!isPicture(bytes)) throw new Error('Its first bytes do not belong to a picture')
    opened ??= openSharp()
    const sharp = await opened
    const square = sharp(bytes, { limitInputPixels: PIXELS_MAX, autoOrient: true })
      .timeout({ seconds: SECONDS_MAX })
      .resize(LARGEST, LARGEST, { fit: 'cover', position: sharp.strategy.attention })
    const { data, info } = await square.raw().toBuffer({ resolveWithObject: true })
    const { width, height, channels } = info
    return await Promise.all(
      PICTURE_SIZES.map(async (size) => {
        const drawn = sharp(data, { raw: { width, height, channels } }).resize(size, size)
        return { size, bytes: await drawn.webp().toBuffer() }
      }),
    )
  } catch (error) {
    throw new PictureRefused(error)
  }
}

/** Detects the format by the first bytes, whatever the content type says. */
function isPicture(bytes: Buffer): boolean {
  const begins = (text: string, at = 0) => bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'))
  return (
    begins('\x89PNG\r\n\x1a\n') ||
    begins('\xff\xd8\xff') ||
    begins('GIF87a') ||
    begins('GIF89a') ||
    (begins('RIFF') && begins('WEBP', 8))
  )
}

let opened: ReturnType<typeof openSharp> | undefined

/** Loaded with the first picture, because loading is slow. From then on it reads only the four formats. */
async function openSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
  })
  return sharp
}
