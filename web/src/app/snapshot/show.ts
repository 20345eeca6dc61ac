import { delay } from '#web/lib/delay.ts'
import { settings } from '#web/lib/settings.ts'
import { snapshots } from '#web/lib/snapshots.ts'
import { type About, type Content, SNAPSHOT_ID } from './snapshot.ts'
import { make } from './written.ts'

/** A tab in the background paints nothing, and is not waited for. */
const PAINTED_WITHIN_MS = 100

/** Begins the page with what its screen looked like when it was last seen, for the eye only: nothing in it acts. */
export const showSnapshot = async () => {
  if (location.search !== '') return
  snapshots.takeKey(settings.snapshotKey)
  const kept = snapshots.read(location.pathname)
  if (!kept) return
  const { width, styles }: About = JSON.parse(kept.about)
  if (width !== window.innerWidth) return
  for (const href of styles) addLink({ rel: 'preload', as: 'style', href })
  const root = await rootHere()
  // Behind the page's own, as they came after them before: of two rules the later one counts.
  const [text] = await Promise.all([kept.content, ...styles.map(styled)])
  // What is drawn by now is newer.
  if (text === undefined || root.hasChildNodes()) return
  const content: Content = JSON.parse(text)
  const place = document.createElement('div')
  place.id = SNAPSHOT_ID
  place.inert = true
  place.ariaHidden = 'true'
  place.style.display = 'contents'
  place.append(...content.map((part) => make(part, settings.cspNonce)))
  root.append(place)
  await Promise.race([painted(), delay(PAINTED_WITHIN_MS)])
}

const addLink = (attributes: Partial<HTMLLinkElement>) => {
  const link = Object.assign(document.createElement('link'), { crossOrigin: '', ...attributes })
  document.head.append(link)
  return link
}

/** Settled once the style sheet holds, or cannot. */
const styled = (href: string) =>
  new Promise<void>((resolve) => {
    if (document.querySelector(`link[rel=stylesheet][href="${CSS.escape(href)}"]`)) return resolve()
    const link = addLink({ rel: 'stylesheet', href })
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => resolve())
  })

/** Where the page is drawn; the end of the page is not waited for, which browsers tell of later. */
const rootHere = () =>
  new Promise<HTMLElement>((resolve) => {
    const look = () => {
      const root = document.getElementById('root')
      if (!root) return
      observer.disconnect()
      resolve(root)
    }
    const observer = new MutationObserver(look)
    observer.observe(document.documentElement, { childList: true, subtree: true })
    look()
  })

const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
