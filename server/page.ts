import { createHmac, hash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyRequest } from 'fastify'
import type { Settings } from './env.ts'
import { notFound } from './errors.ts'
import { contentPolicy } from './headers.ts'
import type { App, Services } from './services.ts'

const BUILT = fileURLToPath(new URL('../dist/web/', import.meta.url))

/** The page waits no longer than this to know who asks. */
const SESSION_WITHIN_MS = 250

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** Serves the built page and its files. */
export async function pageRoutes(app: App, { guard, secret, settings }: Services) {
  // Without a build there is the API alone, as in development, where the page has a server of its own.
  const index = await indexPage(settings)
  if (index !== undefined) await serveFiles(app)
  const build = hash('sha256', index ?? '')

  /**
   * The key to what the browser of a live session has kept of its screens (web/src/lib/snapshots.ts): of this session, as this
   * build shows them. Empty for everyone else, and while the database does not answer, as the page itself needs none.
   */
  const snapshotKey = async (request: FastifyRequest) => {
    const session = await Promise.race([
      guard.find(request).catch(() => undefined),
      pause(SESSION_WITHIN_MS, undefined),
    ])
    return session ? createHmac('sha256', secret).update(`snapshot!${build}!${session.token}`).digest('base64') : ''
  }

  app.setNotFoundHandler(async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isPage = isRead && !isOfApi(request.url) && (!isOfFile(request.url) || asksForHtml(request))
    if (!isPage || index === undefined) throw notFound('There is nothing at this address')
    // One nonce an answer, for the style elements that the component library makes.
    const nonce = randomBytes(16).toString('base64')
    const key = await snapshotKey(request)
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', key === '' ? 'no-cache' : 'no-store')
      .header('content-security-policy', contentPolicy(`'self' 'nonce-${nonce}'`))
      .send(index.replaceAll('%CSP_NONCE%', nonce).replaceAll('%SNAPSHOT_KEY%', key))
  })
}

async function serveFiles(app: App) {
  await app.register(fastifyStatic, {
    root: BUILT,
    wildcard: false,
    index: false,
    cacheControl: false,
    // The build puts each file's compressed forms beside it; they have no address of their own. Nor has the page as it was
    // built, with nothing filled in.
    preCompressed: true,
    globIgnore: ['**/*.{br,gz}', 'index.html'],
    setHeaders: (reply, path) => {
      // Files under assets/ carry a hash of their content in their name.
      const isHashed = path.startsWith(`${BUILT}assets/`)
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}

/** The page with what is the same for everyone filled in; undefined before it was built. */
async function indexPage(settings: Settings): Promise<string | undefined> {
  const file = `${BUILT}index.html`
  if (!existsSync(file)) return undefined
  const html = await readFile(file, 'utf8')
  return html
    .replaceAll('%TEAM_DOMAIN%', escapeHtml(settings.teamDomain))
    .replaceAll('%JOIN_DOMAINS%', escapeHtml(settings.joinDomains?.join(' ') ?? ''))
    .replaceAll('%PROGRAMME_NAME%', escapeHtml(settings.programmeName))
    .replaceAll('%MAIL%', String(settings.mail !== undefined))
    .replaceAll('%SSO%', escapeHtml(JSON.stringify(settings.sso.map(({ id, name }) => ({ id, name })))))
    .replaceAll('%PASSWORD_MIN%', String(settings.passwordMin))
}

const segmentsOf = (url: string) => (url.split(/[?#]/)[0] ?? '').replaceAll(/%2e/gi, '.').split(/\/|%2f|%5c/i)

const isOfApi = (url: string) => segmentsOf(url)[1] === 'api'

/** Paths that could name a file: a dot in the last segment, or a segment that begins with one. */
const isOfFile = (url: string) => {
  const segments = segmentsOf(url)
  return segments.at(-1)?.includes('.') || segments.some((segment) => segment.startsWith('.'))
}

/** As a browser does when it opens an address, and no other part of a page does; the page then redirects. */
const asksForHtml = ({ headers }: FastifyRequest) => /(^|,)\s*text\/html\s*(;|,|$)/i.test(headers.accept ?? '')
