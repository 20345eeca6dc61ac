import { type Failed, notFound } from '#server/enrichment/provider.ts'
import { reasonOf } from '#server/guarded-fetch/address-refused.ts'
import type { Fetched, GuardedClient } from '#server/guarded-fetch/guarded-client.ts'
import { decode } from './decode.ts'
import { type Page, readPage } from './read-page.ts'

const PAGE_MAX = 2 * 1024 * 1024

/** A retry may or may not help. The record's next refresh tries again. */
const unread: Failed = {
  kind: 'failed',
  reason: 'unavailable',
  isRetryable: false,
  detail: 'the site could not be read',
}

/** Reads one page of a site. Anything that is not a page gives an empty result, which is not a failure. */
export async function getPage(
  guardedClient: GuardedClient,
  url: string,
  signal: AbortSignal,
): Promise<Page | Failed | typeof notFound> {
  let fetched: Fetched
  try {
    fetched = await guardedClient.get(url, { signal, accept: 'text/html', maxBytes: PAGE_MAX })
  } catch (error) {
    return { ...unread, detail: reasonOf(error) }
  }
  const { contentType, body } = fetched
  if (contentType !== '' && !/^\s*(text\/html|application\/xhtml\+xml)/i.test(contentType)) return notFound
  return readPage(decode(body, contentType), fetched.url, signal)
}
