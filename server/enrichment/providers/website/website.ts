import { found } from '#server/enrichment/findings.ts'
import {
  type CompanyFindings,
  type Failed,
  notFound,
  type Outcome,
  type Provider,
  type ProviderAccess,
  type ProviderDefinition,
} from '#server/enrichment/provider.ts'
import { reasonOf } from '#server/guarded-fetch/address-refused.ts'
import type { Fetched, GuardedClient } from '#server/guarded-fetch/guarded-client.ts'
import { siteHost } from '#server/names/keys.ts'
import { type Page, readPage } from './read-page.ts'
import { toCompany } from './to-company.ts'

/** The company's own site: its front page, and one page about the company while a field is open. */
export const website: ProviderDefinition = {
  id: 'website',
  name: 'the company website',
  needsKey: false,
  create,
}

function create({ guardedClient }: ProviderAccess): Provider {
  return {
    askCompany(subject) {
      const addresses = [subject.website, subject.domain && `https://${subject.domain}`]
      // Pages on LinkedIn and similar sites do not belong to the company.
      const address = addresses.find((one) => one && siteHost(one))
      return address ? (signal) => readSite(guardedClient, address, signal) : undefined
    },
  }
}

async function readSite(
  guardedClient: GuardedClient,
  address: string,
  signal: AbortSignal,
): Promise<Outcome<CompanyFindings>> {
  const home = await getPage(guardedClient, address, signal)
  if ('kind' in home) return home
  const host = siteHost(home.url)
  if (host === null) return notFound

  const hosts = [host, siteHost(address) ?? host]
  const findings = toCompany([home], hosts)
  const isOpen = Object.values(findings).some((value) => value === undefined)
  if (!isOpen || home.about === undefined) return found(findings)
  const about = await getPage(guardedClient, home.about, signal)
  return found('kind' in about || siteHost(about.url) !== host ? findings : toCompany([home, about], hosts))
}

const PAGE_MAX = 2 * 1024 * 1024

/** A retry may or may not help. The record's next refresh tries again. */
const unread: Failed = {
  kind: 'failed',
  reason: 'unavailable',
  isRetryable: false,
  detail: 'the site could not be read',
}

/** Reads one page of a site. Anything that is not a page gives an empty result, which is not a failure. */
async function getPage(
  guardedClient: GuardedClient,
  url: string,
  signal: AbortSignal,
): Promise<Page | Failed | typeof notFound> {
  let fetched: Fetched
  try {
    fetched = await guardedClient.get(url, { signal, accept: 'text/html', maxBytes: PAGE_MAX })
  } catch (error) {
    return { ...unread, detail: reasonOf(error) }
  }
  const { contentType, body } = fetched
  if (contentType !== '' && !/^\s*(text\/html|application\/xhtml\+xml)/i.test(contentType)) return notFound
  return readPage(decode(body, contentType), fetched.url, signal)
}

/** A page declares its encoding near its start, if at all. */
const PRESCANNED = 1024

/** Decodes a page: by its byte order mark, else its header, else its own declaration, else as UTF-8. */
function decode(body: Buffer, contentType: string): string {
  const label = byMark(body) ?? charsetOf(contentType) ?? byMeta(body) ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    // An unknown charset.
    return new TextDecoder().decode(body)
  }
}

function byMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  return undefined
}

/** A page whose `<meta>` is readable as ASCII is not UTF-16, whatever it declares. */
function byMeta(body: Buffer): string | undefined {
  const start = body.toString('latin1', 0, PRESCANNED)
  const label = charsetOf(/<meta\s[^>]*charset\s*=[^>]*/i.exec(start)?.[0] ?? '')
  return label?.toLowerCase().startsWith('utf-16') ? undefined : label
}

const charsetOf = (text: string) => /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1]
