import { describe, expect, it } from 'vitest'
import { bodyOf } from '#server/channels/message.ts'
import { digestMail } from '#server/digest/mail.ts'
import { outsideName } from './outside.ts'

/** Names built to become links, mentions or headings. */
const NAMES = [
  ...[
    'https://evil.example',
    'http://evil.example/x?y',
    'evil.example',
    'www.evil.example',
    'evil。example',
    'a@evil.example',
  ],
  ...['//evil.example', 'mailto:a@evil.example', 'javascript://x', '192.168.0.1', 'https:\u200b//evil.example'],
  ...[
    '@channel',
    '@here',
    '@Maya',
    '<!here>',
    '<!channel|x>',
    '<@U123>',
    '<#C123>',
    '<at>x</at>',
    '<at id="1">Maya</at>',
  ],
  ...[
    '<https://x|y>',
    '[a](https://b)',
    '![a](https://b.example/c.png)',
    '[a]: https://b',
    '<a href="https://b">a</a>',
    '<img src=x>',
  ],
  ...[
    '# head',
    '## head',
    '> quote',
    '- item',
    '1. item',
    '---',
    '*bold*',
    '_cursive_',
    '~struck~',
    '`code`',
    '```',
    ':fire:',
    '&lt;b&gt;',
  ],
  ...[
    'x\n# head',
    'x\r\n\r\nFor you',
    'x\n• y',
    'x\u2028# head',
    'x\u0085# head',
    'x\tBcc: a',
    '\u202egnp.exe',
    '\u2066x\u2069',
    'Ada\u200e',
  ],
]

const ADDRESS = 'https://sourcebook.test'
const OWN = `${ADDRESS}/founders/1`

/** What programs take for an address or a mention in plain text. */
const LINKED = /[\p{L}\d](?:[.。．｡])[\p{L}\d]|:\/\/|@[\p{L}\d!]/u
/** What breaks or turns a line. */
const UNRULY = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** What stands for characters of formats in Slack. */
const NARROW: Record<string, string> = { '＊': '*', '＿': '_', '～': '~', '｀': '`', '｜': '|' }

const mailOf = (name: string) => {
  const line = { sentence: `Maya added a note on ${outsideName(name)}`, address: '/founders/1', group: 'news' } as never
  return digestMail({
    to: 'tom@mit.edu',
    address: ADDRESS,
    lines: [line],
    more: 0,
    forYou: 0,
    stop: `${ADDRESS}/stop/x`,
  })
}
const messageOf = (kind: 'slack' | 'teams', name: string) =>
  JSON.parse(
    bodyOf(kind, [{ heading: { text: 'New' }, lines: [{ text: `2 new in ${outsideName(name)}`, address: OWN }] }]),
  )

describe.each(NAMES.map((name) => [JSON.stringify(name), name]))(
  'The name %s gives no link, mention or heading',
  (_what, name) => {
    const withoutOwn = (text: string) => text.replaceAll(/https:\/\/sourcebook\.test\S*/g, '')

    it('in the text of a mail', () => {
      const { text = '' } = mailOf(name)
      const [line = ''] = text.split('\n').filter((one) => one.startsWith('- '))
      expect(line).not.toMatch(LINKED)
      expect(line).not.toMatch(UNRULY)
      // The lines of the mail without a name.
      expect(text.split('\n')).toHaveLength(mailOf('x').text?.split('\n').length ?? 0)
      expect(withoutOwn(text)).not.toMatch(LINKED)
    })

    it('in the HTML of a mail', () => {
      const { html = '' } = mailOf(name)
      expect(html.match(/<[a-z/!][^>]*>/gi)).toEqual(mailOf('x').html?.match(/<[a-z/!][^>]*>/gi))
      const shown = html
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/&#(\d+);/g, (_code, point) => String.fromCodePoint(Number(point)))
      expect(shown).not.toMatch(LINKED)
      expect(shown.replaceAll('\n', ' ')).not.toMatch(UNRULY)
    })

    it('in a message to Slack', () => {
      const { text } = messageOf('slack', name)
      const [, line = '', ...more] = text.split('\n')
      expect(more).toEqual([])
      const [, shown = ''] = /^• <https:\/\/sourcebook\.test\/founders\/1\|2 new in (.*)>$/u.exec(line) ?? []
      expect(shown).not.toBe('')
      expect(shown).not.toMatch(/[<>|*_~`]|:[a-z]|&(?!amp;|lt;|gt;)/)
      expect(shown).not.toMatch(LINKED)
      expect(shown).not.toMatch(UNRULY)
      // People read the name itself.
      const read = shown.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
      expect(read.replaceAll(/[＊＿～｀｜]/g, (wide) => NARROW[wide] ?? '').replaceAll('\u2060', '')).toBe(
        outsideName(name).replaceAll('\u2060', ''),
      )
    })

    it('in a message to Teams', () => {
      const { attachments } = messageOf('teams', name)
      const { body, ...card } = attachments[0].content
      // A mention needs an entity, and a format a block of text: a run of a rich text has none.
      expect(Object.keys(card).toSorted()).toEqual(['$schema', 'type', 'version'])
      const runs = body.flatMap(({ type, inlines }: { type: string; inlines: { type: string; text: string }[] }) =>
        type === 'RichTextBlock' ? inlines : [{ type }],
      )
      expect(runs.map(({ type }: { type: string }) => type)).toEqual(['TextRun', 'TextRun'])
      expect(runs[1].selectAction).toEqual({ type: 'Action.OpenUrl', url: OWN })
      expect(runs[1].text).not.toMatch(LINKED)
      expect(runs[1].text).not.toMatch(UNRULY)
    })
  },
)
