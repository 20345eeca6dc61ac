import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { hostOf } from '#server/guarded-fetch/allowed-hosts.ts'
import type { Settings } from '../env.ts'
import type { App } from './app.ts'
import { unknownHost } from './errors.ts'
import { addRefusals } from './head.ts'

// Any website can let its own name lead to this server (DNS rebinding): browsers of people who can reach the server would then
// let that website read it. Such a request has the name of the website as its host.

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns nothing that a website may not read, so any host will do. */
    takesAnyHost?: boolean
  }
}

/** The name or address in a `Host` header; undefined when it is neither. */
function nameIn(header: string): string | undefined {
  const url = /^[^\s/?#@\\]+$/.test(header) ? URL.parse(`http://${header}`) : null
  return url === null ? undefined : hostOf(url)
}

/** Whether a `Host` header is one that the product has: this machine, an address, or a name of the settings. */
export function createHostCheck({ host, publicUrl, allowedHosts }: Settings, ...more: string[]) {
  const names = new Set([host, ...allowedHosts, ...more].map(nameIn))
  if (publicUrl !== undefined) names.add(hostOf(new URL(publicUrl)))
  return (header: string): boolean => {
    const name = nameIn(header)
    if (name === undefined) return false
    return name === 'localhost' || name.endsWith('.localhost') || ipaddr.isValid(name) || names.has(name)
  }
}

/** Node keeps the first of two headers, and a proxy may have looked at the second one. */
export const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1

/** Refuses requests for other hosts, before anything else looks at them. */
export function refuseUnknownHosts(app: App, settings: Settings): void {
  const isKnown = createHostCheck(settings)
  const refusal = unknownHost()
  app.addHook('onRoute', (route) => addRefusals(route, refusal))
  app.addHook('onRequest', (request, _reply, done) => {
    if (!request.routeOptions.config.takesAnyHost && (hasTwoHosts(request.raw) || !isKnown(request.host))) throw refusal
    done()
  })
}
