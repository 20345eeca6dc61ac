import type { CompanyFindings } from '#contract/company.ts'
import type { FounderEnrichment } from '#contract/founder.ts'
import type { GuardedClient } from '#server/guarded-fetch/guarded-client.ts'

// A provider of public data. An adapter is one folder in `providers/` and one line in `providers/list.ts`.

/**
 * The known facts about a founder, as input for providers. Keys are normalised (`names/keys.ts`); null when unknown.
 */
export type FounderSubject = {
  name: string
  /** The handle after `/in/`. A key for licensed providers; its page is never fetched. */
  linkedIn: string | null
  company: string | null
  /** A GitHub login found in what fellows typed. */
  github: string | null
}

/**
 * The known facts about a company, as input for providers. Keys are normalised (`names/keys.ts`); null when unknown.
 */
export type CompanySubject = {
  name: string
  domain: string | null
  /** The URL as typed. Only the guarded client may fetch it. */
  website: string | null
  /** The slug or number after `/company/`. */
  linkedIn: string | null
  /** A GitHub login found in what fellows typed. */
  github: string | null
}

/**
 * The fields that a provider can give for a founder. `profile_picture_url` is the address to fetch the picture from.
 */
export type FounderFindings = FounderEnrichment
export type { CompanyFindings }

export type FailureReason = 'bad_request' | 'auth' | 'no_credits' | 'rate_limited' | 'unavailable' | 'pending'

/**
 * `isRetryable`: a retry may succeed later. `retryAfterSeconds`: the delay that the provider asks for. `detail` is for
 * the log, and contains neither keys nor personal text.
 */
export type Failed = {
  kind: 'failed'
  reason: FailureReason
  isRetryable: boolean
  retryAfterSeconds?: number
  detail?: string
}

/** All possible outcomes of asking. */
export type Outcome<Findings> = { kind: 'found'; findings: Findings } | { kind: 'not-found' } | Failed

export const notFound = { kind: 'not-found' } as const

/** Asks the provider. Throws only on our own bugs, never touches the database, and ends with the signal. */
export type Ask<Findings> = (signal: AbortSignal) => Promise<Outcome<Findings>>

/** A configured provider. Returns undefined for a subject that it cannot look up with the known keys. */
export type Provider = {
  askFounder?: (subject: FounderSubject) => Ask<FounderFindings> | undefined
  askCompany?: (subject: CompanySubject) => Ask<CompanyFindings> | undefined
}

/** The input for creating a provider. `key` is '' for one without a key. */
export type ProviderAccess = {
  baseUrl: string
  key: string
  /** The public URL of this product, for providers whose rules require a contact. */
  contact?: string | undefined
  guardedClient: GuardedClient
}

export type ProviderDefinition = {
  /** Snake case. Its settings are `<ID>_API_KEY` and `<ID>_BASE_URL`. */
  id: string
  /** The display name. */
  name: string
  needsKey: boolean
  /** Undefined for a provider without an address of its own, such as a company's website. */
  baseUrl?: string
  create: (access: ProviderAccess) => Provider
}
