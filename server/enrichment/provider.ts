import type { CompanyFindings } from '#contract/company.ts'
import type { FounderEnrichment } from '#contract/founder.ts'
import type { GuardedClient } from '#server/guarded-fetch/guarded-client.ts'

// What a provider of outside data is. An adapter is one folder in `providers/` and one line in `providers/list.ts`.

/** What is known of a founder to ask with. Keys are normalised (`records/keys.ts`); null where nothing is known. */
export type FounderSubject = {
  name: string
  /** The handle after `/in/`. A key to ask licensed providers with; its page is never fetched. */
  linkedIn: string | null
  company: string | null
  /** A GitHub login that stands in what fellows typed. */
  github: string | null
}

/** What is known of a company to ask with. Keys are normalised (`records/keys.ts`); null where nothing is known. */
export type CompanySubject = {
  name: string
  domain: string | null
  /** The address as typed, to be read through the guarded client only. */
  website: string | null
  /** The slug or number after `/company/`. */
  linkedIn: string | null
  /** A GitHub login that stands in what fellows typed. */
  github: string | null
}

/** What a provider can say of a founder; `profile_picture_url` is an address to fetch the picture from. */
export type FounderFindings = FounderEnrichment
export type { CompanyFindings }

export type FailureReason = 'bad_request' | 'auth' | 'no_credits' | 'rate_limited' | 'unavailable' | 'pending'

/**
 * `isRetryable`: the same question may be answered later; `retryAfterSeconds` when the provider says how much later.
 * `detail` is for the log, and holds neither keys nor personal text.
 */
export type Failed = {
  kind: 'failed'
  reason: FailureReason
  isRetryable: boolean
  retryAfterSeconds?: number
  detail?: string
}

/** The closed set of what asking comes to. */
export type Outcome<Findings> = { kind: 'found'; findings: Findings } | { kind: 'not-found' } | Failed

export const notFound = { kind: 'not-found' } as const

/** Asks. Never throws but for faults of ours, never touches the database, ends with the signal. */
export type Ask<Findings> = (signal: AbortSignal) => Promise<Outcome<Findings>>

/** A provider that is set up. What it answers for a subject is undefined when it cannot be asked by anything known of it. */
export type Provider = {
  askFounder?: (subject: FounderSubject) => Ask<FounderFindings> | undefined
  askCompany?: (subject: CompanySubject) => Ask<CompanyFindings> | undefined
}

/** What a provider is opened with. `key` is '' for one that needs none and has none. */
export type ProviderAccess = {
  baseUrl: string
  key: string
  /** Where this product is run, for those whose rules ask for a contact. */
  contact?: string | undefined
  guardedClient: GuardedClient
}

export type ProviderDefinition = {
  /** Snake case: its settings are `<ID>_API_KEY` and `<ID>_BASE_URL`. */
  id: string
  /** As people know it. */
  name: string
  needsKey: boolean
  /** Undefined for one without an address of its own, such as a company's website. */
  baseUrl?: string
  open: (access: ProviderAccess) => Provider
}
