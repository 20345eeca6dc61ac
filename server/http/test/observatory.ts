// How MDN's HTTP Observatory scores the headers of a site that is served over https and redirects http to it,
// copied from its published table (github.com/mdn/mdn-http-observatory, src/grader/charts.js and
// src/analyzer/tests). Its own package uses the network during installation, so it is not used here. Only
// what our headers can run into is distinguished; anything unknown here counts as the worst of its kind.

type Scored = { score: number; points: Record<string, number> }

type Headers = Record<string, string | string[] | undefined>

/** Bonuses count only for a site that would have this much without them. */
const ENOUGH_FOR_BONUS = 90

const SIX_MONTHS = 15_768_000
const BROAD = /^(\*|https?:|ftp:|https?:\/\/\*(\.\*)?|data:|'unsafe-inline'|'unsafe-eval'|'unsafe-hashes')$/
const PRIVATE_REFERRERS = ['no-referrer', 'same-origin', 'strict-origin', 'strict-origin-when-cross-origin']

export function observe(headers: Headers): Scored {
  const one = (name: string) => [headers[name]].flat()[0]?.trim().toLowerCase()
  const policy = directivesOf(one('content-security-policy'))
  const points = {
    'content-security-policy': policyPoints(policy),
    cookies: cookiePoints([headers['set-cookie'] ?? []].flat()),
    'cross-origin-resource-sharing': one('access-control-allow-origin') === undefined ? 0 : -50,
    'cross-origin-resource-policy':
      { 'same-origin': 10, 'same-site': 10, 'cross-origin': 0 }[
        one('cross-origin-resource-policy') ?? 'cross-origin'
      ] ?? -5,
    'cross-origin-opener-policy': one('cross-origin-opener-policy') === 'same-origin' ? 10 : 0,
    'cross-origin-embedder-policy': /^(require-corp|credentialless)$/.test(one('cross-origin-embedder-policy') ?? '')
      ? 10
      : 0,
    'referrer-policy': referrerPoints(one('referrer-policy')),
    'strict-transport-security': transportPoints(one('strict-transport-security')),
    'x-content-type-options': one('x-content-type-options') === 'nosniff' ? 0 : -5,
    'x-frame-options': framePoints(policy.get('frame-ancestors'), one('x-frame-options')),
  }
  const all = Object.values(points)
  const before = 100 + sum(all.filter((point) => point < 0))
  return { score: before < ENOUGH_FOR_BONUS ? before : before + sum(all.filter((point) => point > 0)), points }
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)

const directivesOf = (policy = '') =>
  new Map(
    policy
      .split(';')
      .map((directive) => directive.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name, sources] as const),
  )

function policyPoints(policy: ReturnType<typeof directivesOf>): number {
  const sourcesOf = (name: string) => policy.get(name) ?? policy.get('default-src') ?? ['*']
  if (['script-src', 'object-src'].flatMap(sourcesOf).some((source) => BROAD.test(source))) return -20
  const everySource = [...policy.values()].flat()
  if (everySource.some((source) => /^(http|ftp):/.test(source))) return -20
  if (sourcesOf('style-src').some((source) => BROAD.test(source))) return 0
  const formsStay = ["'none'", "'self'"].includes((policy.get('form-action') ?? ['*']).join())
  return policy.get('default-src')?.join() === "'none'" && formsStay ? 10 : 5
}

function cookiePoints(lines: string[]): number {
  if (lines.length === 0) return 0
  const worst = lines.map((line) => {
    const isSession = /^[^=]*(login|sess)/i.test(line)
    if (!/;\s*secure/i.test(line)) return isSession ? -40 : -20
    if (isSession && !/;\s*httponly/i.test(line)) return -30
    return /;\s*samesite=(lax|strict)/i.test(line) ? 5 : -20
  })
  return Math.min(...worst)
}

function referrerPoints(policy: string | undefined): number {
  if (policy === undefined) return 0
  return PRIVATE_REFERRERS.includes(policy) ? 5 : -5
}

function transportPoints(header: string | undefined): number {
  const age = /(?:^|;)\s*max-age=(\d+)/.exec(header ?? '')?.[1]
  if (age === undefined) return -20
  return Number(age) >= SIX_MONTHS ? 0 : -10
}

function framePoints(ancestors: string[] | undefined, frameOptions: string | undefined): number {
  if (ancestors !== undefined && !ancestors.some((source) => BROAD.test(source))) return 5
  return frameOptions === 'deny' || frameOptions === 'sameorigin' ? 0 : -20
}
