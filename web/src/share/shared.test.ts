import { describe, expect, it } from 'vitest'
import { sharedIn, valuesFor } from './shared.ts'

const shared = (query: Record<string, string>) => sharedIn(new URLSearchParams(query))
const profile = 'https://www.linkedin.com/in/ada'

describe('Data shared by another app', () => {
  it('has the address in its own field, or the first one in the text', () => {
    expect(shared({ title: 'Ada', url: profile, text: 'Met her.' })).toEqual({
      title: 'Ada',
      address: profile,
      text: 'Met her.',
    })
    expect(shared({ text: `Look: ${profile} now` })).toEqual({ title: '', address: profile, text: 'Look:  now' })
    expect(shared({ url: ' ' })).toEqual({ title: '', address: '', text: '' })
  })

  it('fills in the address if the form has a field for it, and adds it to the notes otherwise', () => {
    const met = shared({ title: 'Ada', url: profile, text: 'Met her.' })
    expect(valuesFor({ addressField: 'linkedIn' }, met)).toEqual({ name: 'Ada', linkedIn: profile, notes: 'Met her.' })
    expect(valuesFor({ addressField: 'website' }, met)).toEqual({ name: 'Ada', notes: `Met her.\n\n${profile}` })
    const elsewhere = { ...met, address: 'https://linkedin.com.evil.example/in/ada' }
    expect(valuesFor({ addressField: 'linkedIn' }, elsewhere)).not.toHaveProperty('linkedIn')
    expect(valuesFor({ addressField: 'website' }, elsewhere)).toHaveProperty('website', elsewhere.address)
  })
})
