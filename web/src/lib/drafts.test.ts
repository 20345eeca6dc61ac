import { beforeEach, describe, expect, it, vi } from 'vitest'

/** Storage of a browser, whose own keys are its entries. */
function createStorage(): Record<string, string> {
  const entries: Record<string, string> = Object.create({
    getItem: (key: string) => entries[key] ?? null,
    setItem: (key: string, text: string) => {
      entries[key] = text
    },
    removeItem: (key: string) => delete entries[key],
  })
  return entries
}

type Drafts = typeof import('./drafts.ts').drafts

/** The storage of a browser, and of each of its tabs. */
let device: Record<string, string>
/** A page of a tab, as it is loaded. */
const open = async (tab: Record<string, string>): Promise<Drafts> => {
  vi.resetModules()
  vi.stubGlobal('sessionStorage', tab)
  return (await import('./drafts.ts')).drafts
}

const user = { email: 'ada@mit.edu' }
const [first, second] = [
  { account: 'ada', signIn: 'first', user },
  { account: 'ada', signIn: 'second', user },
]
const note = { what: 'note', kind: 'founder', id: 'one', name: 'Grace' } as const
const text = { text: 'Half a note' }
const forms = (drafts: Drafts, owner: string) => drafts.list(owner).map(({ form }) => form)

let tab: Record<string, string>
beforeEach(() => {
  device = createStorage()
  tab = createStorage()
  vi.stubGlobal('localStorage', device)
  vi.stubGlobal('window', new EventTarget())
})

describe('What was typed', () => {
  it.each([
    ['of another sign-in', 'draft:ada:first:/notes/founder/one'],
    ['that stands under the address of the account', 'draft:ada@mit.edu:/notes/founder/one'],
  ])('%s is offered to its account alone', async (_which, key) => {
    tab[key] = JSON.stringify({ values: text, about: note, at: 1 })
    const drafts = await open(tab)
    drafts.claim({ account: 'grace', signIn: 'third', user: { email: 'grace@mit.edu' } })
    expect([forms(drafts, 'grace:third'), Object.keys(tab)]).toEqual([[], [key]])
    drafts.claim(second)
    expect(forms(drafts, 'ada:second')).toEqual(['/notes/founder/one'])
    expect(Object.keys(tab)).toEqual(['draft:ada:second:/notes/founder/one'])
  })

  it('is replaced by nothing of an earlier sign-in', async () => {
    const drafts = await open(tab)
    drafts.keep({ account: 'ada:first', form: 'x' }, { text: 'old' }, note)
    drafts.keep({ account: 'ada:second', form: 'x' }, { text: 'new' }, note)
    drafts.claim(second)
    expect(drafts.read({ account: 'ada:second', form: 'x' })).toEqual({ text: 'new' })
    expect(drafts.read({ account: 'ada:first', form: 'x' })).toEqual({ text: 'old' })
  })

  it('goes from the tab, and from no other account, when another person goes on in it', async () => {
    const drafts = await open(tab)
    for (const account of ['ada:first', 'grace:first']) drafts.keep({ account, form: 'x' }, text, note)
    drafts.discardHere('ada')
    expect(Object.keys(tab)).toEqual(['draft:grace:first:x'])
  })

  it.each([
    [true, 'a note', '/notes/founder/one', text],
    [true, 'an opinion', '/records/one/opinion', { rating: 0, comment: 'Strong' }],
    [true, 'pasted rows', 'pasted rows', 'name\tcompany'],
    [false, 'an opinion without a word', '/records/one/opinion', { rating: 0, comment: '' }],
    [false, 'a key', 'key of founder', 'a key'],
    [false, 'the list of open edits', 'edits Founder', [{ id: 'one' }]],
  ])('counts as text that was not saved: %s for %s', async (is, _what, form, values) => {
    const drafts = await open(tab)
    drafts.keep({ account: 'ada:first', form }, values)
    expect([drafts.hasTyped('ada'), drafts.hasTyped('grace')]).toEqual([is, false])
  })
})

describe('A sign-out', () => {
  const typed = async () => {
    const drafts = await open(tab)
    drafts.claim(first)
    drafts.keep({ account: 'ada:first', form: 'x' }, text, note)
    return drafts
  }

  it('that discards deletes the text in its tab, and in a tab that is asleep', async () => {
    await typed()
    const other = await open(createStorage())
    other.signOut('ada', 'discard')
    const awake = await open(tab)
    awake.followOtherTabs()
    awake.claim(second)
    expect([Object.keys(tab), forms(awake, 'ada:second')]).toEqual([[], []])
  })

  it('that keeps moves the text of every tab to the device, for the next sign-in of its account in any tab', async () => {
    await typed()
    const ofOther = createStorage()
    const other = await open(ofOther)
    other.keep({ account: 'ada:first', form: 'x' }, { text: 'In the other tab' }, note)
    other.signOut('ada', 'keep')
    ;(await open(tab)).followOtherTabs()
    expect([Object.keys(tab), Object.keys(ofOther)]).toEqual([[], []])
    expect(Object.keys(device).filter((key) => key.startsWith('draft:ada:'))).toHaveLength(2)
    const next = await open(createStorage())
    next.claim({ account: 'grace', signIn: 'third', user: { email: 'grace@mit.edu' } })
    expect(forms(next, 'grace:third')).toEqual([])
    next.claim(second)
    expect(forms(next, 'ada:second')).toEqual(['x'])
    expect(Object.keys(device).filter((key) => key.startsWith('draft:ada:'))).toHaveLength(1)
  })

  it('leaves what is typed after it, and what others have typed', async () => {
    const drafts = await typed()
    drafts.keep({ account: 'grace:first', form: 'x' }, text, note)
    drafts.signOut('ada', 'discard')
    expect(forms(drafts, 'grace:first')).toEqual(['x'])
    await new Promise((resolve) => setTimeout(resolve, 2))
    drafts.keep({ account: 'ada:second', form: 'y' }, text, note)
    drafts.followOtherTabs()
    expect(forms(drafts, 'ada:second')).toEqual(['y'])
  })
})
