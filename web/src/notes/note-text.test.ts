import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { NoteText } from './note-text.tsx'

const id = '01900000-0000-7000-8000-00000000000a'
const textOf = (content: string, mentions?: { id: string; name: string; at: number; length: number }[]) =>
  renderToStaticMarkup(createElement(NoteText, { note: { content, ...(mentions && { mentions }) } })).replaceAll(
    / class="[^"]*"/g,
    '',
  )

it('A note draws its mentions as names as they are now, where their letters stand', () => {
  expect(
    textOf('\u{1f98a} @Ada and @Tom at https://x.org', [
      { id, name: 'Ada King', at: 2, length: 4 },
      { id, name: 'Tomás <b>', at: 11, length: 4 },
    ]),
  ).toMatch(
    /^🦊 <span>@<bdi>Ada King<\/bdi><\/span> and <span>@<bdi>Tomás &lt;b&gt;<\/bdi><\/span> at <a href="https:\/\/x.org"[^>]*>x.org<\/a>$/,
  )
})

it('A note without mentions is its text', () => {
  expect(textOf('Ask @Ada')).toBe('Ask @Ada')
})
