import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { linkedInCompany, siteHost } from '#server/names/keys.ts'
import { parseJsonLd } from './json-ld.ts'

/** The data of a page about a company, not judged yet. */
export type Page = {
  /** The URL of the page. */
  url: string
  ogDescription: string | undefined
  metaDescription: string | undefined
  /** The contents of its JSON-LD scripts. */
  jsonLd: unknown[]
  /** The LinkedIn companies that the page links to. */
  linkedIn: Set<string>
  /** A page about the company on the same host. */
  about: string | undefined
}

/** Slice size. All other requests wait while one slice is parsed. */
const SLICE = 16 * 1024
const SCRIPT_MAX = 128 * 1024
const SCRIPTS_MAX = 50

const ABOUT =
  /\/(about|about[-_]?us|company|our[-_](company|story)|who[-_]we[-_]are|ueber-uns|a-propos)(\.html?|\.php)?\/?$/i

/** Reads a page in slices. On the signal, returns what was read so far. Never throws. */
export async function readPage(html: string, url: string, signal: AbortSignal): Promise<Page> {
  const page: Page = {
    url,
    ogDescription: undefined,
    metaDescription: undefined,
    jsonLd: [],
    linkedIn: new Set(),
    about: undefined,
  }
  const scripts: string[] = []
  let script: string | undefined

  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'meta') readMeta(page, attributes)
      if (name === 'a' && attributes.href) readLink(page, attributes.href)
      if (name === 'script' && /^\s*application\/ld\+json/i.test(attributes.type ?? '')) script = ''
    },
    ontext(text) {
      if (script !== undefined && script.length <= SCRIPT_MAX) script += text
    },
    onclosetag(name) {
      if (name !== 'script' || script === undefined) return
      if (script.length <= SCRIPT_MAX && scripts.length < SCRIPTS_MAX) scripts.push(script)
      script = undefined
    },
  })
  // The parser keeps a stack of open elements, and each step costs as much as the stack is deep: a million nested tags
  // would take minutes. Only the ends of scripts matter, and scripts do not nest.
  Object.assign(parser, { isVoidElement: (name: string) => name !== 'script' })

  for (let start = 0; start < html.length && !signal.aborted; start += SLICE) {
    parser.write(html.slice(start, start + SLICE))
    await setImmediate()
  }
  parser.end()
  for (const text of scripts) {
    page.jsonLd.push(parseJsonLd(text))
    await setImmediate()
  }
  return page
}

function readMeta(page: Page, { property, name, content }: Record<string, string>) {
  if ((property ?? name)?.toLowerCase() === 'og:description') page.ogDescription ??= content
  if (name?.toLowerCase() === 'description') page.metaDescription ??= content
}

function readLink(page: Page, href: string) {
  const slug = linkedInCompany(href)
  if (slug !== null && page.linkedIn.size < 2) page.linkedIn.add(slug)
  if (page.about !== undefined || !ABOUT.test(href.replace(/[?#].*$/s, ''))) return
  const target = URL.parse(href, page.url)
  const here = URL.parse(page.url)
  if (target === null || here === null || siteHost(target.href) !== siteHost(here.href)) return
  target.hash = ''
  if (target.pathname !== here.pathname) page.about = target.href
}
