import { addPlugins, cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { registerRoute } from 'workbox-routing'
import { NetworkOnly } from 'workbox-strategies'
import { OFFLINE_PAGE } from '#contract/offline.ts'
import { OPEN_FORM, REPLACE } from './names.ts'

// Opens the add forms without a network. It keeps one page, as a visitor gets it, and the files of the frame and of the add
// forms, and nothing that a person has seen or typed (docs/decisions/0033-adding-without-a-network.md).

/** The files to keep, from the build. */
declare const FILES: { url: string; revision: string | null }[]

const worker = self as unknown as EventTarget & { skipWaiting: () => Promise<void> }

/** Without cookies, so that the page names no account. */
const withoutCookies = { requestWillFetch: async ({ request }: { request: Request }) => anonymous(request) }
const anonymous = (request: Request) => new Request(request, { credentials: 'omit' })

addPlugins([withoutCookies])
precacheAndRoute(FILES, { directoryIndex: '', cleanURLs: false, ignoreURLParametersMatching: [] })
cleanupOutdatedCaches()

/** A screen of the page. Any other address is never touched: calls, downloads, single sign-on, what a link carries. */
const isScreen = ({ pathname, search }: URL) =>
  search === '' && !/^\/(api|auth\/sso|healthz|readyz|stop)(\/|$)/i.test(pathname) && !pathname.includes('.')

const fromNetwork = new NetworkOnly({ plugins: [{ handlerDidError: () => matchPrecache(OFFLINE_PAGE) }] })
registerRoute(({ request, url }) => request.mode === 'navigate' && isScreen(url), fromNetwork)

// Another version waits until no tab has an open form, which holds this lock.
worker.addEventListener('message', (event) => {
  if ((event as MessageEvent).data !== REPLACE) return
  void navigator.locks.request(OPEN_FORM, { ifAvailable: true }, (lock) => lock && worker.skipWaiting())
})
