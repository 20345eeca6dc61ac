import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { saveFile } from './save-file.ts'

/** The addresses of blobs that a browser can read. */
let readable: string[] = []
let clicked: { href: string; download: string }[] = []

beforeEach(() => {
  readable = []
  clicked = []
  vi.useFakeTimers()
  vi.stubGlobal('document', {
    createElement: () => ({
      href: '',
      download: '',
      click() {
        clicked.push(this)
      },
    }),
  })
  vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
    readable.push('blob:file')
    return 'blob:file'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => {
    readable = readable.filter((one) => one !== address)
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

it('saves a file by its name, and keeps it until a busy browser has read it', () => {
  saveFile(new File(['Name\n'], 'founders.csv'))
  expect(clicked).toMatchObject([{ href: 'blob:file', download: 'founders.csv' }])
  vi.advanceTimersByTime(10_000)
  expect(readable).toEqual(['blob:file'])
  vi.advanceTimersByTime(60_000)
  expect(readable).toEqual([])
})
