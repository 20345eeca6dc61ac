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

/** To the new address of an account. Without a name: the address may be of another person. */
export const newAddressEmail = (to: string, link: string): Mail =>
  mailTo(
    { email: to, name: '', emailVerified: false },
    'Confirm your new address for Sourcebook',
    'To move your Sourcebook account to this address, open the link within a day, in a browser in which you are signed in:',
    link,
    'If you did not ask for it, you can ignore this email.',
  )

const noticeTo = (person: Person, subject: string, ...sentences: string[]): Mail => {
  const paragraphs = [greetingOf(person), ...sentences]
  return {
    to: person.email,
    subject,
    text: paragraphs.join('\n\n'),
    html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join(''),
  }
}

/** To an address to which another account is to be moved. Only its owner learns that it has an account. */
export const addressTakenEmail = (to: string): Mail =>
  noticeTo(
    { email: to, name: '', emailVerified: false },
    'This address has a Sourcebook account',
    'Someone asked to move a Sourcebook account to this address. It has an account already, so nothing was changed.',
    'If that was you, sign in with this address. If not, you can ignore this email.',
  )

export const addressRequestedEmail = (person: Person, email: string): Mail =>
  noticeTo(
    person,
    'Your Sourcebook account is to move to another address',
    `A browser that is signed in to your account asked to move it to ${email}. Until the link in the email to that address is used, nothing changes.`,
    'If that was not you, change your password now: it ends the link and every other session.',
  )

export const addressChangedEmail = (person: Person, email: string): Mail =>
  noticeTo(
    person,
    'Your Sourcebook account has another address',
    `Your account has moved to ${email}. Sign in with that address from now on.`,
    'If that was not you, tell a manager of your programme.',
  )

export const invitationEmail = (to: string, programme: string, link: string): Mail =>
  mailTo(
    { email: to, name: '', emailVerified: false },
    `Your invitation to ${programme} on Sourcebook`,
    `You are invited to join ${programme} on Sourcebook. Sign up with this address within 14 days:`,
    link,
    'The link works once. If you do not know the programme, you can ignore this email.',
  )
