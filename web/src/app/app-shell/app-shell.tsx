import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { IdentityHost } from '#web/account/identity/identity-host.tsx'
import { Notices } from '#web/account/notices.tsx'
import { invalidateForEvents } from '#web/app/live-updates.ts'
import { usePalette } from '#web/app/palette/use-palette.ts'
import { HistoryProvider } from '#web/history/history-provider.tsx'
import { drafts } from '#web/lib/drafts.ts'
import { whenIdle } from '#web/lib/idle.ts'
import { announceTyped } from '#web/lib/typed-in-tabs.ts'
import { useLiveUpdates } from '#web/live/use-live-updates.ts'
import { NotesProvider } from '#web/notes/notes-provider.tsx'
import { WaitingLine } from '#web/outbox/waiting-line.tsx'
import { useOtherAccount } from '#web/session/other-account.ts'
import { useOwner, useSignIn } from '#web/session/use-current-user.ts'
import { ConfirmDialogHost } from '#web/ui/dialogs/confirm-dialog-host.tsx'
import { scrollKeyOf } from '#web/ui/dialogs/routed-dialog.tsx'
import { isDialogOpen } from '#web/ui/keys/use-single-key.ts'
import { useKeysWait } from '#web/ui/keys/waiting-keys.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { useIsPhone } from '#web/ui/use-is-phone.ts'
import classes from './app-shell.module.css'
import './contrast.css'
import { NavBar } from './nav-bar.tsx'
import { TopBar } from './top-bar.tsx'

const PaletteDialogs = lazyPart(
  'The command palette could not be loaded.',
  async () => (await import('#web/app/palette/palette-dialogs.tsx')).PaletteDialogs,
)

const keepAddForms = () =>
  void import('#web/offline/register.ts').then(
    ({ keepAddForms }) => keepAddForms(),
    () => undefined,
  )

const OtherAccountLine = lazyPart(
  'Another account is signed in in this browser now.',
  async () => (await import('./other-account-line.tsx')).OtherAccountLine,
)

/** The frame of every page for signed-in people. */
export const AppShell = () => {
  const main = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  // The tab order follows the eye: a sidebar comes before the content, a bottom bar after it.
  const isNarrow = useIsPhone()
  useKeysWait(useNavigation().state === 'loading')
  useLiveUpdates(invalidateForEvents)
  useEffect(() => whenIdle(keepAddForms), [])
  const otherAccount = useOtherAccount()
  const palette = usePalette()
  useEffect(() => whenIdle(PaletteDialogs.preload), [])

  // The focus moves to a new page, unless one of its fields or a dialog has taken it already.
  useEffect(() => {
    if (pathname === shown.current) return
    shown.current = pathname
    if (!main.current?.contains(document.activeElement) && !isDialogOpen()) main.current?.focus({ preventScroll: true })
  }, [pathname])

  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <div className={classes.shell}>
        <TopBar onPalette={() => palette.open('palette')} />
        {!isNarrow && <NavBar key="nav" />}
        <main key="main" id="main" ref={main} tabIndex={-1} className={classes.main}>
          <NotesProvider>
            <HistoryProvider>
              {otherAccount && <OtherAccountLine other={otherAccount} />}
              <Notices />
              <WaitingLine />
              <Unsaved />
              <Suspense>
                <Outlet />
              </Suspense>
            </HistoryProvider>
          </NotesProvider>
        </main>
        {isNarrow && <NavBar key="nav" />}
      </div>
      {palette.hasOpened && (
        <PaletteDialogs palette={palette} onCloseFailed={palette.giveUp} fallback={<PaletteOnItsWay />} />
      )}
      <ConfirmDialogHost />
      <IdentityHost />
      <ScrollRestoration getKey={scrollKeyOf} />
    </>
  )
}

/** While the script loads, single keys belong to the palette, as they do to an open dialog. */
const PaletteOnItsWay = () => <div role="dialog" aria-busy="true" aria-label="Search" className="visually-hidden" />

const UnsavedLines = lazyPart(
  'What you had not saved could not be shown. It is kept in this tab.',
  async () => (await import('./unsaved-lines.tsx')).UnsavedLines,
)

/** What was not saved when the session ended or the page was left, above the screen where the person lands. */
function Unsaved() {
  const owner = useOwner()
  const { account } = useSignIn()
  useEffect(() => {
    const end = new AbortController()
    announceTyped(account, end.signal)
    return () => end.abort()
  }, [account])
  // What is typed from now on is in sight.
  const [since] = useState(Date.now)
  const hasAny = useSyncExternalStore(drafts.subscribe, () => drafts.list(owner).some(({ at }) => at < since))
  return hasAny && <UnsavedLines account={owner} since={since} />
}
