import type { ChannelKind } from '#contract/channel-addresses.ts'

// A message in the forms of the chats. What is a name has already become a text that links nothing: `sending/outside.ts`.

export type Line = { text: string; address?: string }
export type Message = { heading: Line; lines: Line[] }[]

/** What begins a format, an emoji or a mention. */
const OF_SLACK: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;' },
  ...{ '*': '＊', _: '＿', '~': '～', '`': '｀', ':': ':\u2060', '|': '｜' },
}

const slackText = (text: string) => text.replaceAll(/[&<>*_~`:|]/g, (character) => OF_SLACK[character] ?? character)

const slackLine = ({ text, address }: Line) =>
  address === undefined ? slackText(text) : `<${address}|${slackText(text)}>`

function slackBody(message: Message) {
  const parts = message.map(({ heading, lines }) => [
    slackLine(heading),
    ...lines.map((line) => `• ${slackLine(line)}`),
  ])
  return { text: parts.map((lines) => lines.join('\n')).join('\n\n') }
}

/** Runs of a rich text are no Markdown, unlike the text of a block. */
const cardLine = ({ text, address }: Line, look: object = {}) => ({
  type: 'RichTextBlock',
  inlines: [
    { type: 'TextRun', text, ...look, ...(address && { selectAction: { type: 'Action.OpenUrl', url: address } }) },
  ],
})

const teamsBody = (message: Message) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        ...{ $schema: 'http://adaptivecards.io/schemas/adaptive-card.json', type: 'AdaptiveCard', version: '1.4' },
        body: message.flatMap(({ heading, lines }) => [
          cardLine(heading, { weight: 'Bolder' }),
          ...lines.map((line) => cardLine({ ...line, text: `• ${line.text}` })),
        ]),
      },
    },
  ],
})

const bodies: Record<ChannelKind, (message: Message) => object> = { slack: slackBody, teams: teamsBody }

/** The body to send, in JSON. */
export const bodyOf = (kind: ChannelKind, message: Message): string => JSON.stringify(bodies[kind](message))
