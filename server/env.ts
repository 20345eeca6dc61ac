import { z } from 'zod'
import { PASSWORD_MIN } from '#contract/auth.ts'
import { isWebAddress } from '#contract/plain-text.ts'
import { DOMAIN } from '#contract/programme.ts'
import { tokensAllowed } from '#contract/token-scopes.ts'
import { refuseHalfAnIssuer, ssoIssuers, ssoSettings } from './env-sso.ts'
import { parseAllowedHosts } from './guarded-fetch/allowed-hosts.ts'
import { StartupError } from './startup-error.ts'

// The only reader of the environment. Every setting is optional; the product runs without any.

const wholeNumber = (fallback: number, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`)
    .default(fallback)

const domain = z.string().toLowerCase().regex(DOMAIN, 'must be a domain such as example.com')

/** Parses `Mit.edu, stanford.edu` into a list. */
const joinDomains = z
  .string()
  .transform((text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  )
  .refine(
    (domains) => domains.length > 0 && domains.every((one) => domain.safeParse(one).success && /\.edu$/.test(one)),
    {
      error: 'must be .edu domains such as mit.edu, separated by commas',
    },
  )

const webOrigin = z.string().refine((text) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash
}, 'must be the address that people open, such as https://sourcebook.example.com')

const httpAddress = z.string().trim().refine(isWebAddress, 'must be an address that begins with https:// or http://')

/** Accepts names as people write them: `Harmonic, people-data-labs` are the ids `harmonic` and `people_data_labs`. */
const providerIds = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((name) => name.replaceAll('-', '_'))

/** A provider that can be configured: its settings are `<ID>_API_KEY` and, if it has an address, `<ID>_BASE_URL`. */
export type ConfigurableProvider = { id: string; baseUrl?: string }

const providerOrder = (every: string[]) =>
  z
    .string()
    .transform(providerIds)
    .refine(
      (ids) => ids.every((id) => id === 'none' || every.includes(id)) && (ids.length === 1 || !ids.includes('none')),
      { error: `must be none, or some of ${every.join(', ')}` },
    )
    .transform((ids) => ids.filter((id) => id !== 'none'))

const settingsOf = (providers: ConfigurableProvider[]) =>
  Object.fromEntries(
    providers.flatMap(({ id, baseUrl }) => [
      [`${id.toUpperCase()}_API_KEY`, z.string().trim().optional()],
      ...(baseUrl === undefined ? [] : [[`${id.toUpperCase()}_BASE_URL`, httpAddress.optional()]]),
    ]),
  ) as Record<string, z.ZodOptional<z.ZodString>>

const allowedHosts = z
  .string()
  .transform(parseAllowedHosts)
  .refine(
    (hosts) => hosts !== undefined,
    'must be hosts such as intranet.example.com or 10.1.2.3:8080, apart by commas',
  )

const smtpAddress = z
  .string()
  .refine(
    (text) => /^smtps?:$/.test(URL.parse(text)?.protocol ?? '') && URL.parse(text)?.hostname !== '',
    'must be an address such as smtps://user:password@mail.example.com',
  )

const variables = {
  PORT: wholeNumber(3000, 0, 65_535),
  HOST: z.string().min(1, 'must be an address to listen on').default('127.0.0.1'),
  DATA_DIR: z.string().min(1, 'must be a folder').default('./data'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must begin with postgresql://')
    .optional(),
  DATABASE_OWNER_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, 'must begin with postgresql://')
    .optional(),
  TEAM_DOMAIN: domain.default('example.com'),
  SIGN_UP: z.enum(['open', 'approval', 'invited'], { error: 'must be open, approval or invited' }).optional(),
  JOIN_DOMAINS: joinDomains.optional(),
  CONTACT: z
    .string()
    .trim()
    .max(200)
    .regex(/^[^\r\n]*$/, 'must be on one line')
    .optional(),
  PROGRAMME_NAME: z.string().trim().min(1, 'must not be blank').max(100).default('Venture Fellows'),
  PUBLIC_URL: webOrigin.optional(),
  SMTP_URL: smtpAddress.optional(),
  MAIL_FROM: z
    .string()
    .trim()
    .regex(/^[^\r\n]*[^\s@<]+@[^\s@>]+>?$/, 'must be an address such as Sourcebook <sourcebook@example.com>')
    .optional(),
  TOKENS: z.enum(tokensAllowed, { error: 'must be none, read or all' }).default('none'),
  ASSISTANT: z.enum(['on', 'off'], { error: 'must be on or off' }).default('off'),
  SENDING: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  UNVERIFIED_ADDRESSES: z.literal('allow', { error: 'must be allow, or not set' }).optional(),
  SERVICE_WORKER: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  PASSWORD_MIN_LENGTH: wholeNumber(PASSWORD_MIN, PASSWORD_MIN, 64),
  ...ssoSettings,
  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  TRUST_PROXY: z.string().trim().min(1, 'must be true, false, a number of hops, or addresses').optional(),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
      error: 'must be trace, debug, info, warn, error, fatal or silent',
    })
    .default('warn'),
  SESSION_IDLE_SECONDS: wholeNumber(7 * 86_400, 1, 366 * 86_400),
  AUDIT_IP_DAYS: wholeNumber(90, 0, 36_500),
  SESSION_ABSOLUTE_SECONDS: wholeNumber(30 * 86_400, 1, 366 * 86_400),
  THROTTLE_ACCOUNT_FREE: wholeNumber(5, 1, 100),
  THROTTLE_ACCOUNT_MAX_SECONDS: wholeNumber(15 * 60, 1, 86_400),
  THROTTLE_ACCOUNT_FORGET_SECONDS: wholeNumber(86_400, 1, 31 * 86_400),
  THROTTLE_ACCOUNT_HOUR: wholeNumber(50, 1, 1_000_000),
  THROTTLE_ACCOUNT_DAY: wholeNumber(100, 1, 1_000_000),
  THROTTLE_IP_FAILURES: wholeNumber(100, 1, 1_000_000),
  THROTTLE_IP_SECONDS: wholeNumber(600, 1, 86_400),
  THROTTLE_CHECK_USER: wholeNumber(100, 1, 1_000_000),
  THROTTLE_CHECK_USER_SECONDS: wholeNumber(10, 1, 86_400),
  THROTTLE_SIGN_UP: wholeNumber(60, 1, 1_000_000),
  THROTTLE_SIGN_UP_SECONDS: wholeNumber(600, 1, 86_400),
  THROTTLE_IP_QUEUE_PERCENT: wholeNumber(50, 1, 100),
  THROTTLE_IP_QUEUE_SHARED_PERCENT: wholeNumber(12, 1, 100),
  THROTTLE_MAIL: wholeNumber(5, 1, 1000),
  THROTTLE_MAIL_IP: wholeNumber(300, 1, 1_000_000),
  THROTTLE_MAIL_SECONDS: wholeNumber(3600, 1, 86_400),
  REQUESTS_AT_ONCE: wholeNumber(6, 1, 1000),
  STATEMENT_TIMEOUT_SECONDS: wholeNumber(10, 1, 600),
  DATABASE_POOL: wholeNumber(10, 1, 1000),
  STOP_GRACE_SECONDS: wholeNumber(0, 0, 60),
  BACKUP_DIR: z.string().min(1, 'must be a folder').optional(),
  BACKUP_EVERY_HOURS: wholeNumber(24, 1, 8_784),
  BACKUP_KEEP: wholeNumber(14, 1, 10_000),
  MAX_CONNECTIONS: wholeNumber(10_000, 10, 1_000_000),
  METRICS_PORT: wholeNumber(0, 0, 65_535),
  METRICS_HOST: z.string().min(1, 'must be an address to listen on').default('127.0.0.1'),
  ENRICHMENT_PROVIDERS: z.string().optional(),
  ENRICHMENT_REFRESH_DAYS: wholeNumber(0, 0, 3650),
  ENRICHMENT_PAUSE_SECONDS: wholeNumber(3_600, 0, 366 * 86_400),
  ENRICHMENT_DAILY_LOOKUPS: wholeNumber(200, 1, 1_000_000),
  ENRICHMENT_DAILY_LOOKUPS_TOTAL: wholeNumber(2_000, 1, 10_000_000),
  ALLOWED_HOSTS: allowedHosts.optional(),
  FETCH_ALLOW_HOSTS: allowedHosts.optional(),
  CHANNEL_ALLOW_HOSTS: allowedHosts.optional(),
}

const environmentWith = (providers: ConfigurableProvider[]) =>
  z.object({
    ...settingsOf(providers),
    ...variables,
    ENRICHMENT_PROVIDERS: providerOrder(providers.map(({ id }) => id)).optional(),
  })

/** The names of all settings. */
export const namesOfSettings = (providers: ConfigurableProvider[]) => Object.keys(environmentWith(providers).shape)

/** `TRUST_PROXY` as Fastify takes it: true, false, a number of hops, or a list of addresses. */
const trustProxy = (text: string | undefined) => {
  if (text === undefined || text === 'false') return false
  if (text === 'true') return true
  if (!/^\d+$/.test(text)) return text
  const hops = Number(text)
  return (_address: string, hop: number) => hop < hops
}

/** Reads and checks all settings. Throws a `StartupError` with one line for each wrong setting. */
export function readEnvironment(environment: Record<string, string | undefined>, providers: ConfigurableProvider[]) {
  // Shells and container files leave an empty variable behind for "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = environmentWith(providers).superRefine(refuseHalfAnIssuer).safeParse(given)
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`)
    throw new StartupError(`Sourcebook cannot start because these settings are wrong:\n${lines.join('\n')}`)
  }
  const env = result.data
  const everyProvider = providers.map(({ id }) => id)
  return {
    port: env.PORT,
    host: env.HOST,
    maxConnections: env.MAX_CONNECTIONS,
    requestsAtOnce: env.REQUESTS_AT_ONCE,
    metrics: env.METRICS_PORT ? { port: env.METRICS_PORT, host: env.METRICS_HOST } : undefined,
    dataDir: env.DATA_DIR,
    databaseUrl: env.DATABASE_URL,
    databaseOwnerUrl: env.DATABASE_OWNER_URL,
    databasePool: env.DATABASE_POOL,
    statementTimeoutMs: env.STATEMENT_TIMEOUT_SECONDS * 1000,
    stopGraceMs: env.STOP_GRACE_SECONDS * 1000,
    teamDomain: env.TEAM_DOMAIN,
    joinDomains: env.JOIN_DOMAINS,
    signUp: env.SIGN_UP,
    contact: env.CONTACT,
    programmeName: env.PROGRAMME_NAME,
    /** The base of links, in mails and for single sign-on. */
    address: env.PUBLIC_URL === undefined ? `http://localhost:${env.PORT}` : new URL(env.PUBLIC_URL).origin,
    publicUrl: env.PUBLIC_URL && new URL(env.PUBLIC_URL).origin,
    isHttps: env.PUBLIC_URL !== undefined && new URL(env.PUBLIC_URL).protocol === 'https:',
    authSecret: env.AUTH_SECRET,
    /** Undefined without mail. Then addresses are not verified. */
    mail:
      env.SMTP_URL === undefined
        ? undefined
        : { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM ?? `Sourcebook <no-reply@${env.TEAM_DOMAIN}>` },
    /** Nothing leaves the house by itself, as from a copy that was made for a test. */
    isSendingOff: env.SENDING === 'off',
    /** Which access tokens fellows may have, and whether assistants may come in, while the programme has no manager. */
    tokens: { allowed: env.TOKENS, assistant: env.ASSISTANT === 'on' },
    /** The operator accepts unverified addresses although others can reach the server. */
    allowsUnverifiedAddresses: env.UNVERIFIED_ADDRESSES === 'allow',
    hasServiceWorker: env.SERVICE_WORKER === 'on',
    passwordMin: env.PASSWORD_MIN_LENGTH,
    sso: ssoIssuers(env),
    trustProxy: trustProxy(env.TRUST_PROXY),
    /** `false` counts as set. */
    hasTrustProxy: env.TRUST_PROXY !== undefined,
    logLevel: env.LOG_LEVEL,
    auditIpDays: env.AUDIT_IP_DAYS,
    session: { idleSeconds: env.SESSION_IDLE_SECONDS, absoluteSeconds: env.SESSION_ABSOLUTE_SECONDS },
    enrichment: {
      order: env.ENRICHMENT_PROVIDERS ?? everyProvider,
      keys: byProvider(env, everyProvider, 'API_KEY'),
      baseUrls: byProvider(env, everyProvider, 'BASE_URL'),
      refreshDays: env.ENRICHMENT_REFRESH_DAYS || undefined,
      pauseSeconds: env.ENRICHMENT_PAUSE_SECONDS,
      dailyLookups: { ofAccount: env.ENRICHMENT_DAILY_LOOKUPS, total: env.ENRICHMENT_DAILY_LOOKUPS_TOTAL },
    },
    backup:
      env.BACKUP_DIR === undefined
        ? undefined
        : { dir: env.BACKUP_DIR, everyHours: env.BACKUP_EVERY_HOURS, keep: env.BACKUP_KEEP },
    /** Further names by which people or programs reach the server. */
    allowedHosts: (env.ALLOWED_HOSTS ?? []).map(({ host }) => host),
    fetchAllowHosts: env.FETCH_ALLOW_HOSTS ?? [],
    /** Further hosts that channels and webhooks may send to. */
    channelAllowHosts: env.CHANNEL_ALLOW_HOSTS ?? [],
    throttle: {
      accountFree: env.THROTTLE_ACCOUNT_FREE,
      accountMaxSeconds: env.THROTTLE_ACCOUNT_MAX_SECONDS,
      accountForgetSeconds: env.THROTTLE_ACCOUNT_FORGET_SECONDS,
      accountHour: env.THROTTLE_ACCOUNT_HOUR,
      accountDay: env.THROTTLE_ACCOUNT_DAY,
      ipFailures: env.THROTTLE_IP_FAILURES,
      ipSeconds: env.THROTTLE_IP_SECONDS,
      checkUser: env.THROTTLE_CHECK_USER,
      checkUserSeconds: env.THROTTLE_CHECK_USER_SECONDS,
      signUp: env.THROTTLE_SIGN_UP,
      signUpSeconds: env.THROTTLE_SIGN_UP_SECONDS,
      queue: {
        alonePercent: env.THROTTLE_IP_QUEUE_PERCENT,
        sharedPercent: env.THROTTLE_IP_QUEUE_SHARED_PERCENT,
      },
      mail: env.THROTTLE_MAIL,
      mailIp: env.THROTTLE_MAIL_IP,
      mailSeconds: env.THROTTLE_MAIL_SECONDS,
    },
  }
}

/** One setting of every provider, by provider; empty where it is not set. */
const byProvider = (
  env: Record<string, unknown>,
  providers: string[],
  name: string,
): Record<string, string | undefined> =>
  Object.fromEntries(providers.map((id) => [id, env[`${id.toUpperCase()}_${name}`] as string | undefined]))

export type Settings = ReturnType<typeof readEnvironment>
