import ipaddr from 'ipaddr.js'

/**
 * The key of a network address. All of an IPv6 /64 counts as one person; an IPv4-mapped IPv6 address counts as its IPv4
 * address.
 */
export function networkKey(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
