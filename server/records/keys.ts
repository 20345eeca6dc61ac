// The one place where addresses become keys: what outside data is asked by, and what tells that two addresses are one.
// All of it is pure, never throws, and answers null for what is no key.

/** Sites full of other people's pages: a page there says of whom it is, but is nobody's own site. */
const PROFILE_SITES = [
  ...['linkedin.com', 'facebook.com', 'fb.com', 'instagram.com', 'threads.net', 'x.com', 'twitter.com', 'tiktok.com'],
  ...['youtube.com', 'github.com', 'gitlab.com', 'medium.com', 'linktr.ee', 'wikipedia.org'],
  ...['crunchbase.com', 'pitchbook.com', 'wellfound.com', 'angel.co', 'producthunt.com', 'ycombinator.com', 'f6s.com'],
  ...['docs.google.com', 'drive.google.com', 'sites.google.com', 'play.google.com', 'apps.apple.com'],
]

/** Where a company's own site may live under a name that is not its own; providers would answer with the host. */
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

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const NOT_PUBLIC = ['localhost', 'local', 'internal']

/** Reads an address with or without its scheme. Null with a user in it: `https://linkedin.com@evil.example`. */
function parse(address: string): URL | null {
  const text = address.trim()
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`
  if (!URL.canParse(full)) return null
  const url = new URL(full)
  return ['http:', 'https:'].includes(url.protocol) && !url.username && !url.password ? url : null
}

/** Without the dot that may end it, and without `www.` */
const hostOf = (url: URL) => url.hostname.replace(/\.$/, '').replace(/^www\.(?=.*\.)/, '')

const isUnder = (host: string, sites: string[]) => sites.some((site) => host === site || host.endsWith(`.${site}`))

/** The segment after one of `kinds` in an address of LinkedIn, as people compare it. */
function linkedInSegment(address: string, kinds: string[]): string | null {
  const url = parse(address)
  if (!url || !isUnder(hostOf(url), ['linkedin.com'])) return null
  const [kind, segment] = url.pathname.split('/').filter(Boolean)
  if (kind === undefined || segment === undefined || !kinds.includes(kind.toLowerCase())) return null
  try {
    const name = decodeURIComponent(segment).normalize('NFC').toLowerCase().normalize('NFC')
    return /^[^\s\p{C}/\\?#]+$/u.test(name) ? name : null
  } catch {
    return null
  }
}

/**
 * The handle after `/in/`, lower-case, percent-decoded. The old `/pub/` addresses have none: which handle became theirs
 * is known to LinkedIn only.
 */
export const linkedInPerson = (address: string): string | null => linkedInSegment(address, ['in'])

/** The slug or number after `/company/`, or after `/school/`: LinkedIn gives both from one set of names. */
export const linkedInCompany = (address: string): string | null => linkedInSegment(address, ['company', 'school'])

/** The address for people of what `linkedInCompany` reads. */
export const linkedInCompanyPage = (key: string): string =>
  `https://www.linkedin.com/company/${encodeURIComponent(key)}`

/**
 * The host of a site that is its owner's own, in ASCII, without `www.`; wherever it is. Null for pages of
 * `PROFILE_SITES`, though not for such a site's front page: that one is its owner's.
 */
export function siteHost(address: string): string | null {
  const url = parse(address)
  if (!url) return null
  const host = hostOf(url)
  const isFrontPage = PROFILE_SITES.includes(host) && url.pathname === '/'
  return isFrontPage || !isUnder(host, PROFILE_SITES) ? host : null
}

/** The domain that a company is known by: `siteHost`, when that is a public name, and not one below a host of many. */
export function domain(address: string): string | null {
  const host = siteHost(address)
  return host !== null && isPublicName(host) && !isUnder(host, HOSTING) ? host : null
}

function isPublicName(host: string): boolean {
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  if (labels.length < 2 || host.length > 253 || !labels.every((label) => LABEL.test(label))) return false
  return !NOT_PUBLIC.includes(last) && !/^\d+$/.test(last)
}

/** True for one host, and for two of which one is below the other: `acme.example` and `shop.acme.example`. */
export const isSameSite = (one: string, other: string): boolean => isUnder(one, [other]) || isUnder(other, [one])

/** What stands in GitHub's paths where a login would. */
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

/** The first login that an address of GitHub in the text names, lower-case; text may be a sentence or an address. */
export function gitHubLogin(text: string): string | null {
  for (const [, place = '', name = ''] of text.matchAll(GITHUB_ADDRESS)) {
    const login = name.toLowerCase()
    const isGist = place.toLowerCase() === 'gist.' && /^([0-9a-f]{20}|[0-9a-f]{32})$/.test(login)
    if (login.length <= 39 && !isGist && !NOT_LOGINS.has(login)) return login
  }
  return null
}
