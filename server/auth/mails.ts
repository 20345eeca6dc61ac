import type { Mail } from '#server/mail/mailer.ts'

// The mails that accounts need, in plain text and the same in simple HTML.

type Person = { name: string; email: string }

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** The name is what somebody typed: on a line of its own words, so that it cannot pass for ours. */
const mailTo = (person: Person, subject: string, before: string, link: string, after: string): Mail => ({
  to: person.email,
  subject,
  text: [`Hello ${person.name},`, before, link, after].join('\n\n'),
  html: `<p>Hello ${escapeHtml(person.name)},</p><p>${before}</p><p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p><p>${after}</p>`,
})

export const verifyMail = (person: Person, link: string): Mail =>
  mailTo(
    person,
    'Confirm your address for Sourcebook',
    'to finish signing up to Sourcebook, confirm within a day that this address is yours:',
    link,
    'If you did not sign up, do not open the link: without it the account stays closed. If you want one of your own, choose a new password with “Forgot your password?” on the sign-in page.',
  )

export const resetMail = (person: Person, link: string): Mail =>
  mailTo(
    person,
    'Choose a new password for Sourcebook',
    'choose a new password for Sourcebook within an hour:',
    link,
    'It works once, and signs you out everywhere. If you did not ask for it, there is nothing to do: your password stays as it is.',
  )
