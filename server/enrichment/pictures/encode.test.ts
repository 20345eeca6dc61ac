import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { PICTURE_SIZES } from '#contract/limits.ts'
import { encodePicture, PICTURE_BYTES_MAX, PictureRefused } from './encode.ts'

const RED = { r: 255, g: 0, b: 0 }
const BLUE = { r: 0, g: 0, b: 255 }
const FORMATS = ['png', 'jpeg', 'webp', 'gif'] as const
const SCRIPT = '<script>alert(1)</script>'
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${SCRIPT}</svg>`

const plain = (background = RED, width = 90, height = 60) =>
  sharp({ create: { width, height, channels: 3, background } })

/** Half of the picture is red, the other half blue. */
const redLeftBlueRight = () =>
  plain(RED, 80, 80).composite([
    { input: { create: { width: 40, height: 80, channels: 3, background: BLUE } }, left: 40, top: 0 },
  ])

/** The name of the colour at a position given as fractions of width and height. */
async function colourAt(picture: Buffer, x: number, y: number): Promise<string> {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels
  const [red = 0, , blue = 0] = data.subarray(at, at + 3)
  return red > blue ? 'red' : 'blue'
}

const largest = async (bytes: Buffer): Promise<Buffer> => (await encodePicture(bytes)).at(-1)?.bytes ?? Buffer.of()

describe('Encoding a picture', () => {
  it('draws squares of 56, 112 and 168 pixels', () => expect(PICTURE_SIZES).toEqual([56, 112, 168]))

  it.each(FORMATS)('reads %s and writes WebP in each size', async (format) => {
    const sizes = await encodePicture(await plain().toFormat(format).toBuffer())
    expect(sizes.map(({ size }) => size)).toEqual([...PICTURE_SIZES])
    for (const { size, bytes } of sizes) {
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: size, height: size })
    }
  })

  it('rotates a picture upright by its orientation tag', async () => {
    const bytes = await redLeftBlueRight().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const upright = await largest(bytes)
    expect([await colourAt(upright, 0.5, 0.1), await colourAt(upright, 0.5, 0.9)]).toEqual(['red', 'blue'])
  })

  it('uses the first of many frames', async () => {
    const frames = await Promise.all([RED, BLUE].map((colour) => plain(colour).png().toBuffer()))
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    const picture = await largest(bytes)
    expect(await colourAt(picture, 0.5, 0.5)).toBe('red')
    expect((await sharp(picture).metadata()).pages).toBeUndefined()
  })

  it('deletes place, time and camera of the picture', async () => {
    const bytes = await plain()
      .withExif({ IFD0: { Copyright: 'Ada' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withIccProfile('p3')
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SCRIPT}</x:xmpmeta>`)
      .jpeg()
      .toBuffer()
    expect(await sharp(bytes).metadata()).toMatchObject({ exif: expect.anything(), icc: expect.anything() })
    const { exif, icc, xmp, iptc, orientation } = await sharp(await largest(bytes)).metadata()
    expect([exif, icc, xmp, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined, undefined])
  })

  it.each(FORMATS)('deletes data appended to %s', async (format) => {
    const bytes = Buffer.concat([await plain().toFormat(format).toBuffer(), Buffer.from(SCRIPT)])
    for (const size of await encodePicture(bytes)) expect(size.bytes.includes('script')).toBe(false)
  })

  it('keeps transparency', async () => {
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#f000' } })
      .png()
      .toBuffer()
    expect((await sharp(await largest(bytes)).metadata()).hasAlpha).toBe(true)
  })
})

describe('A refused picture', () => {
  const refused = async (bytes: Buffer | Promise<Buffer>) => {
    const refusal = encodePicture(await bytes)
    await expect(refusal).rejects.toBeInstanceOf(PictureRefused)
    await expect(refusal).rejects.toThrow('This picture cannot be shown')
  }

  it.each([
    ['nothing', Buffer.of()],
    ['an SVG with a script', Buffer.from(SVG)],
    ['an SVG with its declaration', Buffer.from(`<?xml version="1.0"?>${SVG}`)],
    ['a page', Buffer.from(`<!doctype html>${SCRIPT}`)],
    ['a page that begins like GIF', Buffer.from(`GIF89a/*${SCRIPT}*/=1`)],
    ['an SVG that begins like JPEG', Buffer.concat([Buffer.of(0xff, 0xd8, 0xff), Buffer.from(SVG)])],
    ['an SVG that begins like PNG', Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(SVG)])],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['sound that begins like WebP', Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
  ])('is %s', (_what, bytes) => refused(bytes))

  it.each(['avif', 'tiff'] as const)('is one in %s', (format) => refused(plain().toFormat(format).toBuffer()))

  it.each(FORMATS)('is a truncated %s', async (format) => {
    const grain = { type: 'gaussian', mean: 128, sigma: 30 } as const
    const noise = await sharp({ create: { width: 90, height: 90, channels: 3, background: RED, noise: grain } })
      .toFormat(format)
      .toBuffer()
    await refused(noise.subarray(0, noise.length / 2))
  })

  it('is larger than 2 MB', async () => {
    const bytes = await plain().png().toBuffer()
    const padded = (length: number) => Buffer.concat([bytes, Buffer.alloc(length - bytes.length)])
    expect(await encodePicture(padded(PICTURE_BYTES_MAX))).toHaveLength(3)
    await refused(padded(PICTURE_BYTES_MAX + 1))
  })

  it('has more than 16 million pixels', { tags: 'slow' }, async () => {
    expect(await encodePicture(await plain(RED, 4_000, 4_000).png().toBuffer())).toHaveLength(3)
    await refused(plain(RED, 4_000, 4_001).png().toBuffer())
  })

  it.each([
    [60_000, 60_000],
    [2 ** 31 - 1, 2 ** 31 - 1],
  ])('is a decompression bomb of %s by %s pixels, refused before it is decoded', async (width, height) => {
    const before = process.memoryUsage.rss()
    await refused(pngOf(width, height))
    expect(process.memoryUsage.rss() - before).toBeLessThan(20 * 1024 * 1024)
  })

  it('is detected by its first bytes, before any decoder runs', async () => {
    const refusal = await encodePicture(Buffer.from(SVG)).catch((error: PictureRefused) => error)
    expect(refusal).toMatchObject({ cause: new Error('Its first bytes do not belong to a picture') })
  })

  it('finds no decoder for other formats, even without that check', async () => {
    await encodePicture(await plain().png().toBuffer())
    await expect(sharp(Buffer.from(SVG)).metadata()).rejects.toThrow('unsupported image format')
  })
})

describe('Many pictures at the same time', () => {
  it('are encoded separately, and a refused one does not affect the others', async () => {
    const good = await plain().png().toBuffer()
    const encoded = await Promise.allSettled([good, Buffer.from(SVG), good].map(encodePicture))
    expect(encoded.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })
})

/** A grey PNG that declares this size, with few of its rows. */
function pngOf(width: number, height: number): Buffer {
  const chunk = (name: string, content: Buffer) => {
    const named = Buffer.concat([Buffer.from(name), content])
    return Buffer.concat([uint32(content.length), named, uint32(crc32(named))])
  }
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.of(8, 0, 0, 0, 0)])
  const rows = chunk('IDAT', deflateSync(Buffer.alloc(100_000)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    rows,
    chunk('IEND', Buffer.of()),
  ])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
