import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** In a public range, but answered by the host of a virtual machine: Azure's platform services. */
const AZURE_PLATFORM = '168.63.129.16'

/** Whether an IP address is a unicast address of the public internet. False for anything that is not an IP address. */
export function isPublicAddress(text: string): boolean {
  const canonical = isIPv4(text) ? text : canonicalIPv6(text)
  if (canonical === undefined) return false
  const address = ipaddr.process(canonical)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv6 ? isGlobal(address) : address.toString() !== AZURE_PLATFORM
}

/** In hexadecimal, because ipaddr.js reads `::1.2.3.4` as `::ffff:1.2.3.4`. Undefined for an address with a zone. */
const canonicalIPv6 = (text: string) =>
  isIPv6(text) ? URL.parse(`http://[${text}]`)?.hostname.slice(1, -1) : undefined

/**
 * In ipaddr.js, `unicast` means outside every special range. Only 2000::/3 is assigned, which also excludes
 * `::a.b.c.d`. ISATAP hides an IPv4 address behind any prefix.
 */
function isGlobal({ parts }: ipaddr.IPv6): boolean {
  const [first = 0, , , , fifth = 0, sixth = 0] = parts
  const isIsatap = (fifth & ~0x0200) === 0 && sixth === 0x5efe
  return first >> 13 === 1 && !isIsatap
}
