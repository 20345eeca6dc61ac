import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import fastifyStatic from '@fastify/static'
import type { FastifyRequest } from 'fastify'
import { kinds } from '#contract/kinds.ts'
import { OFFLINE_PAGE } from '#contract/offline.ts'
import type { Settings } from '../env.ts'
import { PAGE_FOLDER } from '../files.ts'
import type { Services } from '../services.ts'
import { escapeHtml } from '../text.ts'
import type { App } from './app.ts'
import { notFound } from './errors.ts'
import { contentPolicy } from './headers.ts'

/** The longest time that the page waits to find the caller's session. */
const SESSION_WITHIN_MS = 250

const WORKER = 'worker.js'
/** Takes the place of the service worker where the operator has switched it off. */
const WORKER_REMOVER = 'worker-remover.js'

/** Serves the built page and its files. */
export async function pageRoutes(app: App, { guard, settings, joinDomains }: Services) {
  // Without a build only the API is served, as in development, where the page has a server of its own.
  const index = await indexPage(settings)
  if (index !== undefined) await serveFiles(app, settings)
  const linksOf = index === undefined ? () => '' : await screenLinks()

  /** The public id of the caller's account. Empty also while the database does not respond: the page does not need it. */
  const accountOf = async (request: FastifyRequest) =>
    (await Promise.race([guard.find(request).catch(() => undefined), pause(SESSION_WITHIN_MS, undefined)]))?.publicId ??
    ''

  /** For the sign-in form. Those of the environment while the database does not respond. */
  const domainsInTime = async () =>
    (await Promise.race([joinDomains().catch(() => undefined), pause(SESSION_WITHIN_MS, undefined)])) ??
    settings.joinDomains ??
    []

  app.setNotFoundHandler(async (request, reply) => {
    const isPage = isRead(request) && !isOfApi(request.url) && (!isOfFile(request.url) || asksForHtml(request))
    if (!isPage || index === undefined) throw notFound('There is nothing at this address')
    // One nonce per answer, for the style elements of the component library.
    const nonce = randomBytes(16).toString('base64')
    const account = await accountOf(request)
    const isSignedIn = account !== ''
    const domains = isSignedIn ? [] : await domainsInTime()
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('content-security-policy', contentPolicy(`'self' 'nonce-${nonce}'`))
      .send(
        index
          .replaceAll('%CSP_NONCE%', nonce)
          .replaceAll('%JOIN_DOMAINS%', () => escapeHtml(domains.join(' ')))
          .replaceAll('%ACCOUNT%', account)
          .replace('</head>', `${linksOf(pathOf(request.url), isSignedIn)}</head>`),
      )
  })
}

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>

/**
 * Links to the files of each screen, from Vite's manifest. A browser then requests them with the page, not after the
 * first script has run. A path without a screen gets none.
 */
async function screenLinks() {
  const manifest: Manifest = JSON.parse(await readFile(`${PAGE_FOLDER}.vite/manifest.json`, 'utf8'))
  const filesOf = (name: string, found = new Set<string>()): Set<string> => {
    const { file, css = [], imports = [] } = manifest[name] ?? {}
    if (file === undefined || found.has(file)) return found
    for (const path of [...css, file]) found.add(path)
    for (const other of imports) filesOf(other, found)
    return found
  }
  const first = filesOf('index.html')
  const linksTo = (page: string) =>
    [...filesOf(page)]
      .filter((file) => !first.has(file))
      .map((file) => `<link rel="${relOf(file)}" crossorigin href="/${file}">`)
      .join('')
  const pages = Object.keys(manifest).filter((name) => name.startsWith('src/pages/'))
  const links = new Map(pages.map((page) => [page, linksTo(page)]))
  return (path: string, isSignedIn: boolean) => {
    const shown = isSignedIn || path.startsWith('/auth') || path === OFFLINE_PAGE ? path : '/auth'
    return links.get(`src/pages/${pageName(shown)}-page.tsx`) ?? ''
  }
}

const OF_KIND = new RegExp(`^/(${kinds.map(({ path }) => path).join('|')})(?=/|$)`)

/** The page of one record, by its id. */
const OF_RECORD = /^\/records\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * A page's file is named after its path. All kinds of record share the pages named after `/records`, and all records that
 * named after `/records/record`.
 */
const pageName = (path: string) =>
  path.replace(OF_KIND, '/records').replace(OF_RECORD, '/records/record').slice(1).replaceAll('/', '-') || 'dashboard'

const relOf = (file: string) => (file.endsWith('.css') ? 'stylesheet' : 'modulepreload')

async function serveFiles(app: App, { hasServiceWorker }: Settings) {
  if (!hasServiceWorker)
    app.get(`/${WORKER}`, { schema: { hide: true } }, (_request, reply) => reply.sendFile(WORKER_REMOVER))
  await app.register(fastifyStatic, {
    root: PAGE_FOLDER,
    wildcard: false,
    index: false,
    cacheControl: false,
    // The build puts compressed versions beside each file. They have no URL of their own, and neither does the unfilled
    // page.
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}', 'index.html', ...(hasServiceWorker ? [] : [WORKER])],
    setHeaders: (reply, path) => {
      // Files under assets/ have a hash of their content in their name.
      const isHashed = path.startsWith(`${PAGE_FOLDER}assets/`)
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}

/** The page with everything filled in that is the same for all callers; undefined before the build. */
async function indexPage(settings: Settings): Promise<string | undefined> {
  const file = `${PAGE_FOLDER}index.html`
  if (!existsSync(file)) return undefined
  const html = await readFile(file, 'utf8')
  return html
    .replaceAll('%TEAM_DOMAIN%', escapeHtml(settings.teamDomain))
    .replaceAll('%PROGRAMME_NAME%', escapeHtml(settings.programmeName))
    .replaceAll('%CONTACT%', escapeHtml(settings.contact ?? ''))
    .replaceAll('%MAIL%', String(settings.mail !== undefined))
    .replaceAll('%SSO%', escapeHtml(JSON.stringify(settings.sso.map(({ id, name }) => ({ id, name })))))
    .replaceAll('%PASSWORD_MIN%', String(settings.passwordMin))
    .replaceAll('%SERVICE_WORKER%', settings.hasServiceWorker ? 'on' : 'off')
}

const pathOf = (url: string) => url.split(/[?#]/)[0] ?? ''

/** Decodes ASCII, as the router does. */
const segmentsOf = (url: string) =>
  pathOf(url)
    .replaceAll(/%[2-7][0-9a-f]/gi, (code) => decodeURIComponent(code))
    .split(/[/\\]/)

/** Also in another case or with doubled slashes, which the router does not take for the API. */
const isOfApi = (url: string) =>
  segmentsOf(url)
    .find((segment) => segment !== '')
    ?.toLowerCase() === 'api'

/** Paths that could name a file: a dot in the last segment, or a segment that starts with one. */
const isOfFile = (url: string) => {
  const segments = segmentsOf(url)
  return segments.at(-1)?.includes('.') || segments.some((segment) => segment.startsWith('.'))
}

const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD'

/** Whether a browser opens this address, and it is not an address of the API. */
export const isNavigation = (request: FastifyRequest) =>
  isRead(request) && !isOfApi(request.url) && asksForHtml(request)

/** A navigation of the browser, not a request of the page's own. The page then redirects. */
const asksForHtml = ({ headers }: FastifyRequest) => /(^|,)\s*text\/html\s*(;|,|$)/i.test(headers.accept ?? '')
