import { whenIdle } from '#web/lib/idle.ts'
import { settings } from '#web/lib/settings.ts'
import { snapshots } from '#web/lib/snapshots.ts'
import type { About, Content } from './snapshot.ts'
import { write } from './written.ts'

/** A screen that has not changed for so long has come to rest. */
const RESTS_AFTER_MS = 500

/**
 * Keeps what the screens of the navigation look like, for the next visit to begin with, until the function that it returns
 * is called.
 */
export const takeSnapshots = () => {
  const root = document.getElementById('root')
  if (!root) return
  snapshots.takeKey(settings.snapshotKey)
  let timer: ReturnType<typeof setTimeout>
  const take = () => {
    if (!isAtRest(root)) return
    const about: About = { width: window.innerWidth, styles: stylesOf(document) }
    const content: Content = [...root.children].map(write)
    void snapshots.keep(location.pathname, JSON.stringify(about), JSON.stringify(content))
  }
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => whenIdle(take), RESTS_AFTER_MS)
  }
  const observer = new MutationObserver(wait)
  observer.observe(root, {
    childList: true,
    characterData: true,
    subtree: true,
    attributeFilter: ['aria-busy', 'style'],
  })
  wait()
  return () => {
    clearTimeout(timer)
    observer.disconnect()
  }
}

/** As the next visit will find it: at its top, with no search, nothing loading, nothing being typed. */
const isAtRest = (root: HTMLElement) =>
  // On its way to another screen, the address is ahead of what is shown.
  root.querySelector('nav [aria-current=page]')?.getAttribute('href') === location.pathname &&
  location.search === '' &&
  window.scrollY === 0 &&
  !root.querySelector('[aria-busy=true], form') &&
  !document.querySelector('[role=dialog]')

const stylesOf = (document: Document) =>
  [...document.querySelectorAll('link[rel=stylesheet]')].map((link) => link.getAttribute('href') ?? '')
