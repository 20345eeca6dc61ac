import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PICTURE_SIZES } from '#contract/limits.ts'
import { type Internet, openInternet } from '#server/guarded-fetch/test/internet.ts'
import { getPicture } from './get-picture.ts'

const SITE = '93.184.216.34'
const PNG = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

let internet: Internet
beforeEach(async () => {
  internet = await openInternet()
  internet.name('pictures.example', SITE)
})
afterEach(() => internet.close())

const get = (address = 'http://pictures.example/ada') =>
  getPicture(internet.client(), address, AbortSignal.timeout(5_000))

const serve = (body: Buffer | string, status = 200, type = 'image/png') =>
  internet.serve(SITE, (_request, response) => response.writeHead(status, { 'content-type': type }).end(body))

describe('Getting a picture (SR-13)', () => {
  it('requests pictures and returns one in each size, whatever its content type is', async () => {
    let accept: string | undefined
    await internet.serve(SITE, (request, response) => {
      accept = request.headers.accept
      response.setHeader('content-type', 'text/html').end(PNG)
    })
    expect((await get())?.map(({ size }) => size)).toEqual([...PICTURE_SIZES])
    expect(accept).toBe('image/*')
  })

  it.each([
    ['a page', '<!doctype html><script>alert(1)</script>', 200],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 200],
    ['nothing', '', 200],
    ['half a picture', PNG.subarray(0, PNG.length / 2), 200],
    ['a picture and more than 2 MB behind it', Buffer.concat([PNG, Buffer.alloc(2 * 1024 * 1024)]), 200],
    ['a picture with a status of 404', PNG, 404],
  ])('returns none for %s, although its content type is PNG', async (_what, body, status) => {
    await serve(body, status)
    expect(await get()).toBeUndefined()
  })

  it.each([
    `data:image/png;base64,${PNG.toString('base64')}`,
    PNG.toString('base64'),
    'javascript:alert(1)',
    '',
    'http://127.0.0.1/ada.png',
    'https://media.licdn.com/dms/image/ada',
    'http://unknown.example/ada.png',
  ])('returns none for an unreadable address: %s', async (address) => {
    expect(await get(address)).toBeUndefined()
    expect(internet.connectedTo).toEqual([])
  })

  it('does not hide our own errors', async () => {
    const broken = { get: () => Promise.reject(new TypeError('a fault')) }
    await expect(getPicture(broken, 'http://pictures.example/', AbortSignal.timeout(1_000))).rejects.toThrow('a fault')
  })
})
