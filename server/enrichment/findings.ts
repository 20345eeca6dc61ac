import { isWebAddress } from '#contract/plain-text.ts'
import type { Outcome } from './provider.ts'

// Reads the values that providers send, one at a time. Each function takes any value and returns undefined for one of
// the wrong kind, so that a bad field never affects others.

const EMAIL_MAX = 254
const URL_MAX = 2048
const HEADQUARTERS_MAX = 300
const YEAR_MIN = 1000
const COUNT_MAX = 100_000_000

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
  if (address === undefined || !/^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/.test(address)) return undefined
  const labels = address.slice(address.indexOf('@') + 1).split('.')
  return labels.length > 1 && labels.every((label) => /^[\p{L}\p{N}-]+$/u.test(label)) ? address : undefined
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

/** The year at the start of a date, or a number, from 1000 to this year. */
export function year(value: unknown): number | undefined {
  const digits = typeof value === 'string' ? /^\s*\+?(\d{4})(?!\d)/.exec(value)?.[1] : undefined
  const read = digits === undefined ? value : Number(digits)
  if (typeof read !== 'number' || !Number.isInteger(read)) return undefined
  return read >= YEAR_MIN && read <= new Date().getFullYear() ? read : undefined
}

/** A number from 1 on (a count of zero means unknown), or a range as written: `51-200`, `10001+`. */
export function count(value: unknown): number | string | undefined {
  const isCount = (number: number) => Number.isInteger(number) && number >= 1 && number <= COUNT_MAX
  if (typeof value === 'number') return isCount(value) ? value : undefined
  const written = text(value, 40)?.replace(/(?<=\d)[,' \u00a0\u202f](?=\d{3}(?!\d))/g, '')
  const parts = /^\+?(\d+)(?:\.0+)?(?:(\+)|\s*(?:-|–|—|to)\s*(\d+))?(?:\s+employees)?$/i.exec(written ?? '')
  if (!parts) return undefined
  const [, from, plus, to] = parts
  if (!isCount(Number(from))) return undefined
  if (plus !== undefined) return `${from}+`
  if (to !== undefined) return isCount(Number(to)) && Number(to) >= Number(from) ? `${from}-${to}` : undefined
  return Number(from)
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
