import { type AllowedHost, hostOf, isAllowed, portOf } from './allowed-hosts.ts'
import { isPublicAddress } from './public-address.ts'

/** The target of a request. `mayConnect` checks every address of `host` before the connection is made. */
export type Destination = { url: URL; host: string; port: number; mayConnect: (address: string) => boolean }

/** LinkedIn's terms forbid reading its pages, so no LinkedIn page is ever read. */
const NEVER_READ = /(^|\.)(linkedin\.com|linkedin\.cn|lnkd\.in|licdn\.com|licdn\.cn)$/

/**
 * Checks everything that can be checked before a name is resolved. Works on the parsed URL, because the parser folds
 * `0x7f.1`, `2130706433` and `①②⑦.1` to the address that they mean. Throws the reason, for the log.
 */
export function judgeDestination(url: URL, allowedHosts: AllowedHost[]): Destination {
  const host = hostOf(url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('The scheme is neither http nor https')
  if (url.username !== '' || url.password !== '') throw new Error('The address contains a user name or a password')
  if (NEVER_READ.test(host)) throw new Error('LinkedIn is never read')
  const destination = { url, host, port: portOf(url) }
  if (isAllowed(url, allowedHosts)) return { ...destination, mayConnect: () => true }
  // The URL parser drops the default port of the scheme.
  if (url.port !== '') throw new Error('The port is not the default port of the scheme')
  return { ...destination, mayConnect: isPublicAddress }
}

/** The target of a redirect, checked like any other address. Also throws when it would leave https. */
export function judgeRedirect(from: URL, location: string, allowedHosts: AllowedHost[]): Destination {
  const url = new URL(location, from)
  if (from.protocol === 'https:' && url.protocol !== 'https:') throw new Error('The redirect leaves https')
  return judgeDestination(url, allowedHosts)
}
