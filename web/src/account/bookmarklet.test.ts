import { describe, expect, it } from 'vitest'
import { bookmarklet } from './bookmarklet.ts'

const ORIGIN = 'https://sourcebook.example'
const founders = { path: 'founders', addressField: 'linkedIn' } as const
const companies = { path: 'companies', addressField: 'website' } as const

/** Runs a bookmark on a page. Returns the address that it opens: its path, and its values. */
const opened = (
  kind: typeof founders | typeof companies,
  page: { address: string; title: string; selected: string },
) => {
  const code = decodeURIComponent(bookmarklet(kind, ORIGIN).slice('javascript:'.length))
  const calls: [string, string, string][] = []
  const run = new Function('location', 'document', 'getSelection', 'open', code)
  run(
    new URL(page.address),
    { title: page.title },
    () => page.selected,
    (...call: [string, string, string]) => calls.push(call),
  )
  const [[address, target, features]] = calls as [[string, string, string]]
  expect([target, features]).toEqual(['_blank', 'noopener,noreferrer'])
  const { origin, pathname, search, hash } = new URL(address)
  expect([origin, search]).toEqual([ORIGIN, ''])
  return { path: pathname, ...Object.fromEntries(new URLSearchParams(hash.slice(1))) }
}

describe('A bookmark that adds a record from the open page', () => {
  it('uses the title, the address and the selected text', () => {
    const page = {
      address: 'https://tidewater.example/about?x=1&y=2#team',
      title: 'Tidewater & Sons',
      selected: ' Pumps + pipes.\n',
    }
    expect(opened(companies, page)).toEqual({
      path: '/companies/add',
      name: 'Tidewater & Sons',
      website: page.address,
      notes: 'Pumps + pipes.',
    })
    expect(opened(founders, page)).toEqual({
      path: '/founders/add',
      name: 'Tidewater & Sons',
      notes: `Pumps + pipes.\n\n${page.address}`,
    })
  })

  it('uses only the title and the address on LinkedIn', () => {
    const address = 'https://www.linkedin.com/in/ada-lovelace/'
    const page = { address: `${address}?trk=x`, title: '(3) Ada Lovelace | LinkedIn', selected: 'About Ada' }
    expect(opened(founders, page)).toEqual({
      path: '/founders/add',
      name: 'Ada Lovelace',
      linkedIn: address,
      notes: '',
    })
    expect(opened(companies, page)).toEqual({ path: '/companies/add', name: 'Ada Lovelace', notes: address })
  })

  it('shortens nothing, because the form says what is too long', () => {
    const page = { address: 'https://a.example/', title: 't'.repeat(500), selected: 's'.repeat(50_000) }
    const { name, notes } = opened(founders, page) as unknown as { name: string; notes: string }
    expect(name).toBe(page.title)
    expect(notes).toBe(`${page.selected}\n\n${page.address}`)
  })
})
