import { afterEach, describe, expect, it } from 'vitest'
import { linkValues } from './link-values.ts'

const founders = { path: 'founders', addressField: 'linkedIn' } as const
const kept = (values: Record<string, string>) => {
  linkValues.keep(founders, values)
  return linkValues.of(founders)
}

afterEach(() => linkValues.delete(founders))

describe('The values of a link to an add form', () => {
  it('are those of its fields with text, unchanged', () => {
    const values = {
      name: ' Ada ',
      linkedIn: 'javascript:alert(1)',
      notes: '',
      rating: '10',
      website: 'https://a.example',
    }
    expect(kept(values)).toEqual({ name: 'Ada', linkedIn: 'javascript:alert(1)' })
  })

  it('have a mark for each character that no one sees or that turns the text around; line breaks only in notes', () => {
    expect(kept({ name: 'Ada\0\r\nLove\tlace', notes: 'One\r\ntwo\0\u001b\ud800\u202eowt\u202c\u200b' })).toEqual({
      name: 'Ada\ufffd Love lace',
      notes: 'One\ntwo\ufffd\ufffd\ufffd\ufffdowt\ufffd\ufffd',
    })
    const joined = 'می\u200cخواهم \u{1f468}\u200d\u{1f469}\u200d\u{1f467}'
    expect(kept({ name: joined })).toEqual({ name: joined })
  })

  it('are not shortened, because the form says what is too long', () => {
    const name = '\u{1f98a}'.repeat(20_000)
    expect(kept({ name })).toEqual({ name })
  })

  it('have a tag, a next step and its day beside them, for the record that is added', () => {
    const afterwards = (values: Record<string, string>) => {
      linkValues.keepAfter(founders, values)
      return linkValues.afterOf(founders)
    }
    expect(kept({ name: 'Ada', tag: 'Demo day' })).toEqual({ name: 'Ada' })
    expect(afterwards({ name: 'Ada', tag: ' Demo\nday ', step: 'Call', on: '2031-01-02' })).toEqual({
      tag: 'Demo day',
      step: 'Call',
      on: '2031-01-02',
    })
    expect(afterwards({ tag: 'Demo day', on: 'Friday' })).toEqual({ tag: 'Demo day' })
    expect(afterwards({})).toBeNull()
  })

  it('are deleted once a form has them', () => {
    kept({ name: 'Ada' })
    linkValues.delete(founders)
    expect(linkValues.of(founders)).toBeNull()
  })
})
