import ipaddr from 'ipaddr.js'
import type { Settings } from './env.ts'
import { StartupError } from './startup-error.ts'

type Judged = Pick<Settings, 'host' | 'publicUrl' | 'isHttps' | 'hasTrustProxy' | 'mail' | 'allowsUnverifiedAddresses'>

/**
 * Throws a `StartupError` that names every missing setting without which a stranger could lock people out or join with
 * another person's address. Runs only when the server starts, because operator commands open no port.
 */
export function refuseUnsafeSetup(settings: Judged): void {
  const problems = [...problemsOfProxy(settings), ...problemsOfMail(settings)]
  if (problems.length === 0) return
  throw new StartupError(`Sourcebook cannot start because these settings are unsafe:\n${problems.join('\n')}`)
}

/** TLS ends at a proxy. Unless the proxy is trusted, all visitors share its address and its limits. */
function problemsOfProxy({ isHttps, hasTrustProxy }: Judged): string[] {
  if (!isHttps || hasTrustProxy) return []
  return [
    '  TRUST_PROXY must be set, because PUBLIC_URL is https: to loopback where the proxy runs on this machine, to the address from which the proxy reaches this server where it runs elsewhere or this is a container (uniquelocal: any private network), or to false where no proxy comes before it.',
  ]
}

function problemsOfMail({ host, publicUrl, mail, allowsUnverifiedAddresses }: Judged): string[] {
  if (mail !== undefined || allowsUnverifiedAddresses) return []
  const exposed = [
    ...(isLocal(host) ? [] : [`HOST (${host})`]),
    ...(publicUrl === undefined || isLocal(new URL(publicUrl).hostname) ? [] : [`PUBLIC_URL (${publicUrl})`]),
  ]
  if (exposed.length === 0) return []
  return [
    `  SMTP_URL must be set, because ${exposed.join(' and ')} can be reached from other machines: without mail anyone there can join under an address that is not theirs. Where only people you trust can reach it, such as a container whose port is published on 127.0.0.1 alone, set UNVERIFIED_ADDRESSES=allow instead.`,
  ]
}

/** Whether the name or address is this machine: localhost, *.localhost, 127.0.0.0/8 and ::1. */
function isLocal(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  return ipaddr.isValid(name) && ipaddr.process(name).range() === 'loopback'
}
