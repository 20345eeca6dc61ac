/** A host that may be read although it is not public; without a port, on every port. */
export type AllowedHost = { host: string; port: number | undefined }

/** Normalises a URL's host: no brackets around IPv6, no trailing dot. The URL parser has folded the rest. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.+$/g, '')

export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/**
 * Parses `host` and `host:port`, separated by commas or spaces, IPv6 in brackets. Undefined when one of them is
 * invalid.
 */
export function parseAllowedHosts(text: string): AllowedHost[] | undefined {
  const allowed: AllowedHost[] = []
  for (const entry of text.split(/[\s,]+/).filter(Boolean)) {
    const [, host, port] = /^([^:[\]/?#@\\]+|\[[^[\]]+\])(?::(\d{1,5}))?$/.exec(entry) ?? []
    const url = URL.parse(`http://${host}`)
    if (host === undefined || url === null || Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535) return undefined
    allowed.push({ host: hostOf(url), port: port === undefined ? undefined : Number(port) })
  }
  return allowed
}

export const isAllowed = (url: URL, allowed: AllowedHost[]): boolean =>
  allowed.some(({ host, port }) => host === hostOf(url) && (port === undefined || port === portOf(url)))
