import { isEmailAddress } from '#contract/typed-values.ts'

// The only module that turns addresses into keys: the input of providers, and the comparison of two addresses. All
// functions are pure, never throw, and return null for an address without a key.

/**
 * Sites with pages about many people and companies. A page there identifies its subject, but is not the subject's own
 * site.
 */
const PROFILE_SITES = [
  ...['linkedin.com', 'facebook.com', 'fb.com', 'instagram.com', 'threads.net', 'x.com', 'twitter.com', 'tiktok.com'],
  ...['youtube.com', 'github.com', 'gitlab.com', 'medium.com', 'linktr.ee', 'wikipedia.org'],
  ...['crunchbase.com', 'pitchbook.com', 'wellfound.com', 'angel.co', 'producthunt.com', 'ycombinator.com', 'f6s.com'],
  ...['docs.google.com', 'drive.google.com', 'sites.google.com', 'play.google.com', 'apps.apple.com'],
]

/** Hosts of companies' own sites under a shared domain. Providers would answer with the host. */
const HOSTING = [
  ...[
    'notion.site',
    'notion.so',
    'github.io',
    'substack.com',
    'webflow.io',
    'framer.website',
    'framer.app',
    'carrd.co',
  ],
  ...['wixsite.com', 'wordpress.com', 'blogspot.com', 'squarespace.com', 'vercel.app', 'netlify.app', 'web.app'],
]

/** Shorteners of links, forms and calendars: an address there says nothing about the company that uses it. */
const SERVICES = [
  ...[
    'bit.ly',
    'buff.ly',
    'cutt.ly',
    'goo.gl',
    'is.gd',
    'lnkd.in',
    'ow.ly',
    'rb.gy',
    'rebrand.ly',
    'shorturl.at',
    't.co',
  ],
  ...['t.ly', 'tiny.cc', 'tinyurl.com', 'bio.link', 'hubs.li', 'hubs.ly', 'lnk.bio', 'youtu.be', 'fb.me', 'amzn.to'],
  ...[
    'forms.gle',
    'forms.office.com',
    'forms.microsoft.com',
    'airtable.com',
    'fillout.com',
    'formstack.com',
    'jotform.com',
  ],
  ...['paperform.co', 'surveymonkey.com', 'tally.so', 'typeform.com', 'wufoo.com', 'calendly.com', 'docsend.com'],
]

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** The last two begin an address that was written twice: `http://www.https://acme.example`. */
const NOT_PUBLIC = ['localhost', 'local', 'internal', 'http', 'https']

/** Parses an address with or without its scheme. Null with a user in it: `https://linkedin.com@evil.example`. */
function parse(address: string): URL | null {
  const text = address.trim()
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`
  if (!URL.canParse(full)) return null
  const url = new URL(full)
  return ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password ? url : null
}

/** Without a trailing dot and without `www.` */
const hostOf = (url: URL) => url.hostname.replace(/\.$/, '').replace(/^www\.(?=.*\.)/, '')

const isUnder = (host: string, sites: string[]) => sites.some((site) => host === site || host.endsWith(`.${site}`))

/** What programs and templates write where they have no value. */
const PLACEHOLDERS = new Set([
  ...['undefined', 'null', 'nan', 'none', 'nil', 'n-a', 'na', 'unknown', 'empty', 'tbd', 'todo', 'xxx', 'placeholder'],
  ...[
    'username',
    'user-name',
    'your-name',
    'yourname',
    'your-profile',
    'yourprofile',
    'firstname-lastname',
    'first-last',
  ],
])

/** True for a segment that is no value: a placeholder, a template, or the beginning of an address that was written twice. */
const isPlaceholder = (segment: string) =>
  PLACEHOLDERS.has(segment) ||
  /^(in|pub|company|school|https?)$|^www\.|linkedin\.|[:@{}[\]<>$*]|^[\p{P}\p{S}]+$/u.test(segment)

/** What LinkedIn puts before the path of a page: its mobile site, and links in its mails. */
const BEFORE_PATH = ['mwlite', 'comm', 'm']

/** The segments of the path of a LinkedIn page. */
function linkedInPath({ pathname }: URL): string[] {
  const segments = pathname.split('/').filter(Boolean)
  const at = segments.findIndex((segment) => !BEFORE_PATH.includes(segment.toLowerCase()))
  return at === -1 ? [] : segments.slice(at)
}

/** The segment after one of `kinds` in a LinkedIn address, normalised for comparison. */
function linkedInSegment(address: string, kinds: string[]): string | null {
  const url = parse(address)
  if (!url || !isUnder(hostOf(url), ['linkedin.com'])) return null
  const [kind, segment] = linkedInPath(url)
  if (kind === undefined || segment === undefined || !kinds.includes(kind.toLowerCase())) return null
  return normalSegment(segment)
}

function normalSegment(segment: string): string | null {
  try {
    const name = decodeURIComponent(segment).normalize('NFC').toLowerCase().normalize('NFC')
    return /^[^\s\p{C}/\\?#]+$/u.test(name) && !isPlaceholder(name) ? name : null
  } catch {
    return null
  }
}

/**
 * The handle after `/in/`, lower-case, percent-decoded. Old `/pub/` addresses have none: only LinkedIn knows which
 * handle replaced them.
 */
export const linkedInPerson = (address: string): string | null => linkedInSegment(address, ['in'])

/** The path of an old `/pub/` address: `ada-lovelace/1/2b3/4c5`. */
export function linkedInPub(address: string): string | null {
  const url = parse(address)
  if (!url || !isUnder(hostOf(url), ['linkedin.com'])) return null
  const [kind, ...names] = linkedInPath(url)
  const path = names.slice(0, 4).map(normalSegment)
  return kind?.toLowerCase() === 'pub' && path.length > 0 && !path.includes(null) ? path.join('/') : null
}

/** An email address for comparison, lower-case; null for another text. */
export function emailKey(text: string): string | null {
  const address = text
    .trim()
    .replace(/^mailto:/i, '')
    .normalize('NFC')
    .toLowerCase()
  return isEmailAddress(address) ? address : null
}

/** The part before the @ where there is no mailbox, or one that no one reads. */
const NO_MAILBOX = /^(no-?e?mail|no-?reply|do-?not-?reply)$/

/** The mailbox of an email address, for comparison; null for a placeholder and for another text. */
export function mailboxKey(text: string): string | null {
  const address = emailKey(text)
  const local = address?.split('@', 1)[0] ?? ''
  return PLACEHOLDERS.has(local) || NO_MAILBOX.test(local) ? null : address
}

/** The slug or number after `/company/`, or after `/school/`: LinkedIn assigns both from one set of names. */
export const linkedInCompany = (address: string): string | null => linkedInSegment(address, ['company', 'school'])

/** The address for people of what `linkedInCompany` parses. */
export const linkedInCompanyPage = (key: string): string =>
  `https://www.linkedin.com/company/${encodeURIComponent(key)}`

/**
 * The host of a site that belongs to its subject, in ASCII, without `www.` Null for pages of `PROFILE_SITES`, but not
 * for such a site's front page, which belongs to the site itself.
 */
export function siteHost(address: string): string | null {
  const url = parse(address)
  if (!url) return null
  const host = hostOf(url)
  const isFrontPage = PROFILE_SITES.includes(host) && url.pathname === '/'
  return isFrontPage || !isUnder(host, PROFILE_SITES) ? host : null
}

/** The domain of a company: `siteHost`, when it is a public name and not a host that many share. */
export function domain(address: string): string | null {
  const host = siteHost(address)
  return host !== null && isPublicName(host) && !isUnder(host, [...HOSTING, ...SERVICES]) ? host : null
}

function isPublicName(host: string): boolean {
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  if (labels.length < 2 || host.length > 253 || !labels.every((label) => LABEL.test(label))) return false
  return !NOT_PUBLIC.includes(last) && !/^\d+$/.test(last)
}

/** The domains that a domain is below: `acme.example` for `shop.acme.example`. */
export const parentDomains = (domain: string): string[] => {
  const labels = domain.split('.')
  return labels.slice(1, -1).map((_, at) => labels.slice(at + 1).join('.'))
}

/** True for equal hosts, and when one is a subdomain of the other: `acme.example` and `shop.acme.example`. */
export const isSameSite = (one: string, other: string): boolean => isUnder(one, [other]) || isUnder(other, [one])

/** GitHub paths that are not logins. */
const NOT_LOGINS = new Set([
  ...['about', 'account', 'apps', 'blog', 'business', 'codespaces', 'collections', 'contact', 'copilot', 'dashboard'],
  ...['customer-stories', 'discover', 'discussions', 'edu', 'education', 'enterprise', 'events', 'explore', 'features'],
  ...['forked', 'home', 'issues', 'join', 'login', 'logout', 'marketplace', 'mobile', 'new', 'notifications', 'orgs'],
  ...['organizations', 'partners', 'pricing', 'pulls', 'readme', 'resources', 'search', 'security', 'sessions'],
  ...['settings', 'signup', 'site', 'solutions', 'sponsors', 'starred', 'stars', 'team', 'topics', 'trending', 'users'],
  ...['watching'],
])

const GITHUB_ADDRESS =
  /(?<![\p{L}\p{N}_.@/%-])(?:https?:\/\/)?(www\.|gist\.)?github\.com\/(?:(?:orgs|sponsors|users)\/)?([a-z0-9](?:-?[a-z0-9]){0,38})(?![\w-]|\.\w)/giu

/** The first login in a GitHub address in the text, lower-case. The text may be a sentence or an address. */
export function gitHubLogin(text: string): string | null {
  for (const [, place = '', name = ''] of text.matchAll(GITHUB_ADDRESS)) {
    const login = name.toLowerCase()
    const isGist = place.toLowerCase() === 'gist.' && /^([0-9a-f]{20}|[0-9a-f]{32})$/.test(login)
    if (login.length <= 39 && !isGist && !NOT_LOGINS.has(login)) return login
  }
  return null
}
