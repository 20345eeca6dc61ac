import { headquarters, mapFound, text, webAddress } from '#server/enrichment/findings.ts'
import {
  type CompanyFindings,
  type CompanySubject,
  type FounderSubject,
  notFound,
  type Provider,
  type ProviderAccess,
  type ProviderDefinition,
} from '#server/enrichment/provider.ts'
import { domain, isSameSite } from '#server/names/keys.ts'
import { askOrganisation, askUser, type Profile } from './client.ts'
import { toFounder } from './to-founder.ts'

/** Public profiles, for records in which a person typed a GitHub address. A key only raises its rate limit. */
export const github: ProviderDefinition = {
  id: 'github',
  name: 'GitHub',
  needsKey: false,
  baseUrl: 'https://api.github.com',
  create,
}

function create(access: ProviderAccess): Provider {
  return {
    askFounder(subject) {
      const { github: login } = subject
      if (login === null) return undefined
      return async (signal) => {
        const outcome = await askUser(access, login, signal)
        if (outcome.kind === 'found' && !isOfFounder(outcome.findings, subject)) return notFound
        return mapFound(outcome, toFounder)
      }
    },
    askCompany(subject) {
      const { github: login } = subject
      if (login === null) return undefined
      return async (signal) => {
        const outcome = await askOrganisation(access, login, signal)
        if (outcome.kind === 'found' && !isOfCompany(outcome.findings, subject)) return notFound
        return mapFound(outcome, toCompany)
      }
    },
  }
}

// A GitHub address in notes may belong to a project that the founder only uses, so its owner has to match.

/** Accepts a person who shares a word of the founder's name. A profile without a name is accepted as linked. */
function isOfFounder({ type, name }: Profile, subject: FounderSubject): boolean {
  if (type !== 'User') return false
  const theirs = wordsOf(text(name) ?? '')
  const ours = wordsOf(subject.name)
  return theirs.length === 0 || theirs.some((word) => ours.includes(word))
}

/**
 * Accepts an organisation with the company's domain. When one of them has no domain, compares the beginnings of their
 * names.
 */
function isOfCompany({ name, login, blog }: Profile, subject: CompanySubject): boolean {
  const theirs = domain(text(blog) ?? '')
  if (theirs !== null && subject.domain !== null) return isSameSite(theirs, subject.domain)
  const ours = wordsOf(subject.name).join('')
  return [name, login].some((one) => isSameStart(wordsOf(text(one) ?? '').join(''), ours))
}

const isSameStart = (one: string, other: string) =>
  one === other
    ? one !== ''
    : Math.min(one.length, other.length) > 2 && (one.startsWith(other) || other.startsWith(one))

/** Without accents and case. An initial does not count as a word. */
const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]{2,}/gu) ?? []

const toCompany = ({ description, location, blog }: Profile): CompanyFindings => ({
  headquarters: headquarters({ address: location }),
  description: text(description, 2_000),
  website: webAddress(blog),
})
