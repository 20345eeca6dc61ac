import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { LinkedText } from './linked-text.tsx'
import { splitAtLinks } from './split-at-links.ts'

const links = (text: string) =>
  splitAtLinks(text).flatMap(({ href, text }) => (href === undefined ? [] : [[href, text]]))

it.each([
  ['See https://example.com.', 'https://example.com', 'example.com'],
  ['(http://example.com/a_(b))', 'http://example.com/a_(b)', 'example.com/a_(b)'],
  ['https://example.com/deck?x=1#2, said she', 'https://example.com/deck?x=1#2', 'example.com/deck?x=1#2'],
  ['HTTPS://EXAMPLE.COM', 'HTTPS://EXAMPLE.COM', 'example.com'],
  ['https://bank.example@evil.example/login', 'https://bank.example@evil.example/login', 'evil.example/login'],
  [`https://a.example/${'x'.repeat(60)}`, `https://a.example/${'x'.repeat(60)}`, `a.example/${'x'.repeat(39)}…`],
])('An address in a text is a link that shows its host: %s', (text, href, shown) => {
  expect(links(text)).toEqual([[href, shown]])
})

it.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://example.com',
  'example.com',
  'https://',
  'mailto:a@example.com',
])('Only http and https addresses are links, not %s', (text) => {
  expect(links(text)).toEqual([])
})

it('leaves the rest of the text as it is', () => {
  const text = 'Deck: https://a.example/x, video: https://b.example. Second line'
  expect(splitAtLinks(text).map(({ text }) => text)).toEqual([
    ...['Deck: ', 'a.example/x', ', video: ', 'b.example', '. Second line'],
  ])
})

it('An address is written from left to right in text that is not', () => {
  const text = createElement(LinkedText, { text: 'مرحبا https://example.com/a/ بكم' })
  expect(renderToStaticMarkup(text)).toMatch(/^مرحبا <a [^>]*dir="ltr"[^>]*>.*example\.com\/a\/.*<\/a> بكم$/)
})
