import { isWebAddress } from '#contract/plain-text.ts'
import { isEmailAddress, toCount, toYear } from '#contract/typed-values.ts'
import type { Outcome } from './provider.ts'

// Reads the values that providers send, one at a time. Each function takes any value and returns undefined for one of
// the wrong kind, so that a bad field never affects others.

const EMAIL_MAX = 254
const URL_MAX = 2048
const HEADQUARTERS_MAX = 300

/** Control characters except line breaks, marks of text direction, and lone surrogates. */
const UNWANTED = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu
const VISIBLE = /[^\p{C}\p{Z}]/u

/** Clean text, cut to at most `max` code points; undefined without a visible character. */
export function text(value: unknown, max = 300): string | undefined {
  if (typeof value !== 'string') return undefined
  const clean = value.replace(/\r\n?/g, '\n').replaceAll('\t', ' ').replace(UNWANTED, '').trim()
  if (!VISIBLE.test(clean)) return undefined
  if (clean.length <= max) return clean
  // A code point is at most two units, so this slice holds everything that is kept, without copying megabytes.
  return [...clean.slice(0, max * 2)].slice(0, max).join('').trimEnd()
}

/** Like `text`, but undefined when too long: half an address is a wrong one. */
const whole = (value: unknown, max: number) => {
  const clean = text(value, max + 1)
  return clean !== undefined && clean.length <= max ? clean : undefined
}

export function emailAddress(value: unknown): string | undefined {
  const address = whole(value, EMAIL_MAX)?.replace(/^mailto:/i, '')
  return address !== undefined && isEmailAddress(address) ? address : undefined
}

/** An http or https URL as given. A bare domain, with or without a path, gets `https://`. */
export function webAddress(value: unknown): string | undefined {
  const given = whole(value, URL_MAX)
  if (given === undefined) return undefined
  const isBare = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}[\p{L}\p{N}-]+(?=[:/?#]|$)/u.test(given)
  const address = isBare ? `https://${given}` : given.replace(/^\/\//, 'https://')
  if (!isWebAddress(address)) return undefined
  const { username, password } = new URL(address)
  return username === '' && password === '' ? address : undefined
}

export const year = toYear

export function count(value: unknown): number | string | undefined {
  const written = typeof value === 'number' ? value : text(value, 40)
  return written === undefined ? undefined : toCount(written)
}

/** A company's headquarters, with only the parts that are known. */
export function headquarters({ address, city }: { address?: unknown; city?: unknown }) {
  const place = known({ address_formatted: text(address, HEADQUARTERS_MAX), city: text(city, HEADQUARTERS_MAX) })
  return Object.keys(place).length > 0 ? place : undefined
}

/** The parts of an address that are text, on one line. */
export const addressLine = (...parts: unknown[]): string | undefined =>
  text(
    parts
      .map((part) => text(part))
      .filter(Boolean)
      .join(', '),
  )

/** The first value that was read. */
export const firstOf = <Value>(...values: (Value | undefined)[]): Value | undefined =>
  values.find((value) => value !== undefined)

/** Findings without undefined fields; `not-found` when none is left. */
export function found<Findings extends object>(findings: Findings): Outcome<Findings> {
  const fields = known(findings)
  return Object.keys(fields).length > 0 ? { kind: 'found', findings: fields } : { kind: 'not-found' }
}

/** Maps a provider's record to our fields. Other results pass through. */
export const mapFound = <Theirs, Ours extends object>(
  outcome: Outcome<Theirs>,
  toFindings: (record: Theirs) => Ours,
): Outcome<Ours> => (outcome.kind === 'found' ? found(toFindings(outcome.findings)) : outcome)

const known = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields
