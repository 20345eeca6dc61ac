import { describe, expect, it } from 'vitest'
import { outsideName } from '#server/sending/outside.ts'
import { bodyOf } from './message.ts'

const message = (text: string) => [
  { heading: { text: 'New', address: 'https://sourcebook.test/views/1' }, lines: [{ text }] },
]

describe('A message to Slack is { text }, in which a name is text', () => {
  const textOf = (name: string) => JSON.parse(bodyOf('slack', message(outsideName(name))))

  it('has a line for each number, and its links', () => {
    expect(textOf('3 new in Berlin')).toEqual({ text: '<https://sourcebook.test/views/1|New>\n• 3 new in Berlin' })
  })

  it.each([
    ['mentions no one', '<!channel> <@U123>', '&lt;!channel&gt; &lt;@\u2060U123&gt;'],
    ['is no link of Slack', '<https://evil.example|x>', '&lt;https:\u2060\u2060//evil.\u2060example｜x&gt;'],
    ['is not bold, cursive, struck or code', '*a* _b_ ~c~ `d`', '＊a＊ ＿b＿ ～c～ ｀d｀'],
    ['has no emoji made of letters', ':fire:', ':\u2060fire:\u2060'],
    ['begins no quotation, list or heading', '> # - 1) a', '&gt; # - 1) a'],
    ['stays in its line', 'a\n• b', 'a • b'],
  ])('A name %s', (_what, name, shown) => {
    expect(textOf(name).text.split('\n')[1]).toBe(`• ${shown}`)
    expect(textOf(name).text.split('\n')).toHaveLength(2)
  })
})

describe('A message to Teams is one Adaptive Card 1.4, in which a name is text', () => {
  const cardOf = (name: string) => JSON.parse(bodyOf('teams', message(outsideName(name)))).attachments[0]

  it('has runs of text, which are no Markdown, and its links as actions', () => {
    const { contentType, content } = cardOf('**a** [x](y) - <at>b</at>')
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive')
    expect([content.type, content.version]).toEqual(['AdaptiveCard', '1.4'])
    expect(content.body).toEqual([
      {
        type: 'RichTextBlock',
        inlines: [
          {
            ...{ type: 'TextRun', text: 'New', weight: 'Bolder' },
            selectAction: { type: 'Action.OpenUrl', url: 'https://sourcebook.test/views/1' },
          },
        ],
      },
      { type: 'RichTextBlock', inlines: [{ type: 'TextRun', text: '• **a** [x](y) - <at>b</at>' }] },
    ])
  })
})
