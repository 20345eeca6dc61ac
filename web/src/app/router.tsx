import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject, redirect } from 'react-router'
import type { RightName } from '#contract/rights.ts'
import { account } from '#web/account/api.ts'
import { getBoard } from '#web/board/api.ts'
import { boardIn } from '#web/board/board-place.ts'
import { listChanges } from '#web/changes/api.ts'
import { dashboard } from '#web/dashboard/api.ts'
import { dueSteps, mySteps } from '#web/dashboard/next-steps-query.ts'
import { listDuplicates } from '#web/duplicates/api.ts'
import { getMyFigures, myViewIn } from '#web/figures/api.ts'
import { listFinders } from '#web/finders/api.ts'
import { historyList, listMerges } from '#web/history/api.ts'
import { listImports } from '#web/import/list-imports.ts'
import { inboxViewIn, listInbox } from '#web/inbox/api.ts'
import { kinds } from '#web/kinds.ts'
import { settings } from '#web/lib/settings.ts'
import { linkedKindOf, listLinks, listSuggestedLinks } from '#web/links/api.ts'
import { myNotes } from '#web/my-records/api.ts'
import { noteList } from '#web/notes/api.ts'
import { getOpinions } from '#web/opinions/api.ts'
import { addPath, paths, programmePath, recordPath, searchPath, UUID, viewPath } from '#web/paths.ts'
import { getPipeline, listStages } from '#web/pipeline/api.ts'
import { getRecord, listRecords } from '#web/records/api.ts'
import { allRecords, myRecords, queryIn } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { listSearches } from '#web/searches/api.ts'
import { currentSession, getRights, type Session } from '#web/session/api.ts'
import { mayIn } from '#web/session/use-rights.ts'
import { FullScreenSpinner } from '#web/ui/states/full-screen-spinner.tsx'
import { AppShell } from './app-shell/app-shell.tsx'
import { ErrorScreen } from './error-screen.tsx'
import { SignedInOnly, SignedOutOnly } from './guards.tsx'
import { prefetch, prefetchList, queryClient } from './query-client.ts'

const me = () => queryClient.ensureQueryData(currentSession)

/** From the session's query; before its first response, from the settings in the page. */
const isSignedIn = () => {
  const session = queryClient.getQueryData(currentSession.queryKey)
  return session ? session.user !== null : settings.account !== ''
}

/** Sign-in returns to this address. */
const rememberAddress = (from: string) =>
  queryClient.setQueryData<Session>(currentSession.queryKey, (session) => ({
    ...(session?.user === null && session),
    ...{ user: null, from },
  }))

type Screen = {
  path: string
  /** The server preloads this file by its name, which is the path, or `records` for every kind. */
  page: () => Promise<ComponentType>
  /** Starts the queries of the screen, which itself shows loading, errors and retries. */
  begin?: (parameters: URLSearchParams, id: string) => void
  /** Any other address is redirected. */
  isOf?: (id: string) => boolean
  /** Without it, the person is redirected. */
  right?: RightName
  /** Whether it is for changes only. Those who may only read are redirected. */
  changes?: true
}

/** A screen for signed-in people only. */
const screen = ({ path, page, begin = () => {}, isOf = () => true, right, changes }: Screen): RouteObject => ({
  path,
  lazy: { Component: page },
  loader: async ({ request, params: { id = '' } }) => {
    if (!isOf(id)) return redirect(paths.dashboard)
    const { pathname, search, searchParams } = new URL(request.url)
    if (isSignedIn()) begin(searchParams, id)
    const session = await me()
    const { user } = session
    const isRefused = user && right && !(await queryClient.fetchQuery(getRights))[right].allowed
    const rights = queryClient.getQueryData(getRights.queryKey)
    if (isRefused || (user && changes && !mayIn(session, rights)('change'))) return redirect(paths.dashboard)
    if (user) begin(searchParams, id)
    else rememberAddress(pathname + search)
    return null
  },
})

/** The screens that search the records of a kind, add one and show one. */
function screensOf(kind: RecordKind): RouteObject[] {
  return [
    screen({
      path: searchPath(kind),
      page: async () => {
        const { RecordsPage } = await import('#web/pages/records-page.tsx')
        return () => <RecordsPage kind={kind} />
      },
      begin: (parameters) => prefetchList(listRecords(kind, queryIn(parameters, allRecords, kind))),
    }),
    screen({
      path: addPath(kind),
      changes: true,
      page: async () => {
        const [{ RecordsAddPage }, form] = await Promise.all([
          import('#web/pages/records-add-page.tsx'),
          kind.loadForm(),
        ])
        return () => <RecordsAddPage kind={kind} form={form} />
      },
    }),
    screen({
      path: recordPath(kind, { id: ':id' }),
      isOf: (id) => UUID.test(id),
      page: async () => {
        const { RecordPage } = await import('#web/pages/records-record-page.tsx')
        return () => <RecordPage kind={kind} />
      },
      begin: (_parameters, id) => {
        prefetch(getRecord(kind, id))
        prefetch(listMerges(id))
        prefetch(listFinders(id))
        prefetch(getPipeline(id))
        prefetch(getOpinions(id))
        prefetch(listStages)
        if (linkedKindOf(kind)) {
          prefetchList(listLinks({ kind, id }))
          prefetch(listSuggestedLinks({ kind, id }))
        }
        prefetchList(noteList({ kind, id }))
        prefetchList(historyList({ kind, id, name: '' }))
      },
    }),
  ]
}

/** The screens of *Programme*. */
const programmePages = {
  [paths.programme]: async () => (await import('#web/pages/programme-page.tsx')).ProgrammePage,
  [programmePath('pipeline')]: async () =>
    (await import('#web/pages/programme-pipeline-page.tsx')).ProgrammePipelinePage,
  [programmePath('figures')]: async () => (await import('#web/pages/programme-figures-page.tsx')).ProgrammeFiguresPage,
  [programmePath('week/:week?')]: async () => (await import('#web/pages/programme-week-page.tsx')).ProgrammeWeekPage,
  [programmePath('privacy')]: async () => (await import('#web/pages/programme-privacy-page.tsx')).ProgrammePrivacyPage,
  [programmePath('privacy/inform')]: async () =>
    (await import('#web/pages/programme-informing-page.tsx')).ProgrammeInformingPage,
  [programmePath('sending')]: async () => (await import('#web/pages/programme-sending-page.tsx')).ProgrammeSendingPage,
  [programmePath('history')]: async () => (await import('#web/pages/programme-history-page.tsx')).ProgrammeHistoryPage,
}

const screens = [
  screen({
    path: paths.dashboard,
    page: async () => (await import('#web/pages/dashboard-page.tsx')).DashboardPage,
    begin: () => {
      prefetch(dashboard)
      prefetch(dueSteps)
      prefetchList(mySteps)
    },
  }),
  ...kinds.flatMap(screensOf),
  screen({
    path: paths.myRecords,
    page: async () => (await import('#web/pages/my-records-page.tsx')).MyRecordsPage,
    begin: (parameters) => {
      for (const kind of kinds) prefetchList(listRecords(kind, queryIn(parameters, myRecords)))
      prefetch(myNotes)
    },
  }),
  screen({
    path: paths.pipeline,
    page: async () => (await import('#web/pages/pipeline-page.tsx')).PipelinePage,
    begin: (parameters) => {
      prefetch(getBoard(boardIn(parameters)))
      prefetch(listStages)
    },
  }),
  screen({
    path: paths.duplicates,
    page: async () => (await import('#web/pages/duplicates-page.tsx')).DuplicatesPage,
    begin: () => {
      for (const kind of kinds) prefetchList(listDuplicates(kind))
    },
  }),
  screen({
    path: paths.merge,
    changes: true,
    page: async () => (await import('#web/pages/duplicates-merge-page.tsx')).MergePage,
  }),
  screen({
    path: paths.changes,
    page: async () => (await import('#web/pages/changes-page.tsx')).ChangesPage,
    begin: () => prefetchList(listChanges),
  }),
  screen({
    path: paths.import,
    changes: true,
    page: async () => (await import('#web/pages/import-page.tsx')).ImportPage,
    begin: () => prefetchList(listImports()),
  }),
  screen({
    path: paths.export,
    page: async () => (await import('#web/pages/export-page.tsx')).ExportPage,
  }),
  screen({
    path: paths.inbox,
    page: async () => (await import('#web/pages/inbox-page.tsx')).InboxPage,
    begin: (parameters) => prefetchList(listInbox(inboxViewIn(parameters))),
  }),
  screen({
    path: paths.account,
    page: async () => (await import('#web/pages/account-page.tsx')).AccountPage,
    begin: () => prefetch(account),
  }),
  screen({
    path: paths.myFigures,
    page: async () => (await import('#web/pages/my-figures-page.tsx')).MyFiguresPage,
    begin: (parameters) => prefetch(getMyFigures(myViewIn(parameters))),
  }),
  ...Object.entries(programmePages).map(([path, page]) => screen({ path, page, right: 'programme' })),
  screen({
    path: viewPath({ id: ':id' }),
    page: async () => (await import('#web/pages/views-page.tsx')).ViewsPage,
    isOf: (id) => UUID.test(id),
    begin: () => prefetch(listSearches),
  }),
  screen({
    path: paths.proposals,
    changes: true,
    page: async () => (await import('#web/pages/proposals-page.tsx')).ProposalsPage,
  }),
  screen({
    path: paths.share,
    changes: true,
    page: async () => (await import('#web/pages/share-page.tsx')).SharePage,
  }),
  screen({
    path: paths.waiting,
    page: async () => (await import('#web/pages/waiting-page.tsx')).WaitingPage,
  }),
]

/** The pages that links in mails open, signed in or not. */
const linkedPages = {
  [paths.verify]: async () => (await import('#web/pages/auth-verify-page.tsx')).VerifyPage,
  [paths.reset]: async () => (await import('#web/pages/auth-reset-page.tsx')).ResetPage,
  [paths.address]: async () => (await import('#web/pages/auth-address-page.tsx')).AddressPage,
  [paths.confirmed]: async () => (await import('#web/pages/auth-confirmed-page.tsx')).ConfirmedPage,
}

/** Every screen and its access. Nothing is shown before the current user is known. */
export const createRouter = () =>
  createBrowserRouter([
    {
      loader: me,
      HydrateFallback: FullScreenSpinner,
      ErrorBoundary: ErrorScreen,
      children: [
        {
          Component: SignedOutOnly,
          children: [
            {
              path: paths.auth,
              lazy: { Component: async () => (await import('#web/pages/auth-page.tsx')).AuthPage },
            },
          ],
        },
        ...Object.entries(linkedPages).map(([path, page]) => ({ path, lazy: { Component: page } })),
        {
          Component: SignedInOnly,
          children: [{ Component: AppShell, children: screens }],
        },
        { path: '*', loader: () => redirect(paths.dashboard) },
      ],
    },
  ])
