import { askEarly } from '#web/lib/early.ts'
import { takeLinkToken } from '#web/lib/link-token.ts'
import { paths } from '#web/paths.ts'
import { askedFirst } from './asked-first.ts'
import { showSnapshot } from './snapshot/show.ts'
import { beginWith } from './snapshot/snapshot.ts'

// Runs before the first paint and before any other script, in one small file: the content security policy admits no
// inline script. What the screen needs is asked for while the files that draw it are still being read.

/** So that a dark page never flashes white: what Mantine's ColorSchemeScript does. */
const chooseColorScheme = () => {
  try {
    const stored = window.localStorage.getItem('mantine-color-scheme-value')
    if (stored === 'light' || stored === 'dark') return stored
    return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  } catch {
    return 'light'
  }
}

document.documentElement.setAttribute('data-mantine-color-scheme', chooseColorScheme())
takeLinkToken({ [paths.verify]: 'token', [paths.reset]: 'token', [paths.auth]: 'invitation' })
beginWith(showSnapshot())
askEarly(askedFirst(location))
