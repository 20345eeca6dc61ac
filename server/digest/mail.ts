import type { InboxLine } from '#contract/inbox.ts'
import type { InboxGroup } from '#contract/inbox-kinds.ts'
import type { Week } from '#contract/week.ts'
import { weekWords } from '#contract/weeks.ts'
import type { Mail } from '#server/mail/mailer.ts'
import { weekHeading } from '#server/sending/week-lines.ts'
import { escapeHtml } from '#server/text.ts'

// The text of the mail: names and links, in plain text and in simple HTML, without a picture or a counted link.

const headings: Record<InboxGroup, string> = { you: 'For you', news: 'News' }

type Line = Pick<InboxLine, 'sentence' | 'address'>

type Content = {
  to: string
  /** The base of links. */
  address: string
  lines: InboxLine[]
  /** How many lines the inbox has beyond these. */
  more: number
  /** How many lines ask something of the reader. */
  forYou: number
  /** Of a manager on a Monday. */
  ofWeek?: { week: Week; lines: Line[] } | undefined
  stop: string
}

const capitalised = (sentence: string) => sentence.replace(/^./u, (first) => first.toUpperCase())

function subjectOf({ forYou, ofWeek }: Content): string {
  const what = [...(ofWeek ? [weekWords(ofWeek.week.week)] : []), ...(forYou > 0 ? [`${forYou} for you`] : [])]
  return `${what.join(', ') || 'News'} on Sourcebook`
}

/** The Monday list, with the time of its numbers. */
const weekGroup = ({ week, lines }: NonNullable<Content['ofWeek']>) => ({
  heading: weekHeading(week),
  lines: [{ sentence: 'The whole list', address: `/programme/week/${week.week}` }, ...lines],
})

/** A manager's Monday mail begins with the Monday list. Then *For you* comes first. */
const groupsOf = ({ lines, ofWeek }: Content): { heading: string; lines: Line[] }[] => [
  ...(ofWeek ? [weekGroup(ofWeek)] : []),
  ...(['you', 'news'] as const)
    .map((group) => ({ heading: headings[group], lines: lines.filter((line) => line.group === group) }))
    .filter(({ lines }) => lines.length > 0),
]

export function digestMail(content: Content): Pick<Mail, 'to' | 'subject' | 'text' | 'html'> {
  return { to: content.to, subject: subjectOf(content), text: textOf(content), html: htmlOf(content) }
}

function textOf(content: Content): string {
  const { address, more, stop } = content
  const groups = groupsOf(content).map(({ heading, lines }) =>
    [heading, ...lines.map((line) => `- ${capitalised(line.sentence)}\n  ${address}${line.address}`)].join('\n\n'),
  )
  return [
    ...groups,
    ...(more > 0 ? [`and ${more} more\n${address}/inbox`] : []),
    `When you get this mail: ${address}/account\nStop this mail: ${stop}`,
  ].join('\n\n')
}

const link = (to: string, text: string) => `<a href="${escapeHtml(to)}">${escapeHtml(text)}</a>`

function htmlOf(content: Content): string {
  const { address, more, stop } = content
  const groups = groupsOf(content).map(
    ({ heading, lines }) =>
      `<h2>${heading}</h2><ul>${lines.map((line) => `<li>${link(address + line.address, capitalised(line.sentence))}</li>`).join('')}</ul>`,
  )
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sourcebook</title></head><body>',
    ...groups,
    ...(more > 0 ? [`<p>${link(`${address}/inbox`, `and ${more} more`)}</p>`] : []),
    `<p>${link(`${address}/account`, 'When you get this mail')} · ${link(stop, 'Stop this mail')}</p></body></html>`,
  ].join('\n')
}
