import { text } from '#server/enrichment/findings.ts'
import type { CompanySubject, FounderSubject } from '#server/enrichment/provider.ts'
import { domain, isSameSite } from '#server/records/keys.ts'
import type { Profile } from './client.ts'

// An address on GitHub in somebody's notes may be of a project that they only use, so whose it is has to be seen.

/** A person whose name has a word in common with the founder's; who shows no name is taken for the one they linked. */
export function isOfFounder({ type, name }: Profile, subject: FounderSubject): boolean {
  if (type !== 'User') return false
  const theirs = wordsOf(text(name) ?? '')
  const ours = wordsOf(subject.name)
  return theirs.length === 0 || theirs.some((word) => ours.includes(word))
}

/** An organisation with the company's domain; where one of them has none, one whose name begins as the other's. */
export function isOfCompany({ name, login, blog }: Profile, subject: CompanySubject): boolean {
  const theirs = domain(text(blog) ?? '')
  if (theirs !== null && subject.domain !== null) return isSameSite(theirs, subject.domain)
  const ours = wordsOf(subject.name).join('')
  return [name, login].some((one) => isSameStart(wordsOf(text(one) ?? '').join(''), ours))
}

const isSameStart = (one: string, other: string) =>
  one === other
    ? one !== ''
    : Math.min(one.length, other.length) > 2 && (one.startsWith(other) || other.startsWith(one))

/** Without accents and case. An initial is no word. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]{2,}/gu) ?? []
