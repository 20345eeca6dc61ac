import type { Mail } from '#server/mail/mailer.ts'
import { escapeHtml } from '#server/text.ts'

// The mails about accounts, in plain text and in simple HTML.

type Person = { name: string; email: string; emailVerified: boolean }

/** Until the address is verified, a stranger may have chosen the name, so the mail leaves it out. */
const greetingOf = ({ name, emailVerified }: Person) => (emailVerified ? `Hello ${name},` : 'Hello,')

const mailTo = (person: Person, subject: string, before: string, link: string, after: string): Mail => ({
  to: person.email,
  subject,
  text: [greetingOf(person), before, link, after].join('\n\n'),
  html: `<p>${escapeHtml(greetingOf(person))}</p><p>${escapeHtml(before)}</p><p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p><p>${after}</p>`,
})

export const verificationEmail = (person: Person, link: string): Mail =>
  mailTo(
    person,
    'Confirm your email address for Sourcebook',
    'To finish signing up to Sourcebook, confirm your email address within a day:',
    link,
    'Open the link in the browser in which you signed up. Any other browser asks you to choose a new password. If you did not sign up, you can ignore this email. If someone else signed up with your address and you want to use the account, choose a new password through the link: it replaces theirs.',
  )

export const passwordResetEmail = (person: Person, link: string): Mail =>
  mailTo(
    person,
    'Choose a new password for Sourcebook',
    'Choose a new password for Sourcebook within an hour:',
    link,
    'The link works once and signs you out everywhere. If you did not ask for it, you can ignore this email: your password stays the same.',
  )

export const invitationEmail = (to: string, programme: string, link: string): Mail =>
  mailTo(
    { email: to, name: '', emailVerified: false },
    `Your invitation to ${programme} on Sourcebook`,
    `You are invited to join ${programme} on Sourcebook. Sign up with this address within 14 days:`,
    link,
    'The link works once. If you do not know the programme, you can ignore this email.',
  )
