import { addressRoutes } from './account/address-routes.ts'
import { fellowRoutes } from './account/fellows.ts'
import { noticeRoutes } from './account/notices.ts'
import { accountRoutes } from './account/routes.ts'
import { twoFactorRoutes } from './account/two-factor-routes.ts'
import { apiDocumentRoute } from './api-document.ts'
import { auditAccountEvent } from './audit-log/account-events.ts'
import { emailLinkRoutes } from './auth/links/email-link-routes.ts'
import { authRoutes } from './auth/routes.ts'
import { callerOf, sessionOf } from './auth/sessions/session.ts'
import { ssoRoutes } from './auth/sso/routes.ts'
import { isHopeless } from './auth/tokens/identify.ts'
import { declareScopes, scopeByMethod } from './auth/tokens/scopes.ts'
import { boardRoutes } from './board/routes.ts'
import { bulkRoutes } from './bulk/routes.ts'
import { changeRoutes } from './changes/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { digestRoutes } from './digest/routes.ts'
import { dismissalRoutes } from './duplicates/dismissal-routes.ts'
import { duplicateRoutes, similarRoutes } from './duplicates/routes.ts'
import { enrichmentRoutes } from './enrichment/routes.ts'
import { exportRoutes } from './export/routes.ts'
import { feedRoutes } from './feed/routes.ts'
import { myFigureRoutes } from './figures/routes.ts'
import { followRoutes } from './follows/routes.ts'
import { pictureRoutes } from './founders/pictures.ts'
import { recordHistoryRoutes } from './history/routes.ts'
import type { App } from './http/app.ts'
import { csrfFailed, notFound, notSignedIn, otherAccount } from './http/errors.ts'
import { shareFairly } from './http/fair-share.ts'
import { addRefusals, addSecurity, isUnsafe } from './http/head.ts'
import { refuseUnknownParameters } from './http/query.ts'
import { importRoutes } from './import/http/routes.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { kinds } from './kinds.ts'
import { recordRoutes } from './lists/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { mergeRoutes } from './merge/routes.ts'
import { navCountRoutes } from './programme/nav-counts-routes.ts'
import { programmeRoutes } from './programme/routes.ts'
import { recordFeatures } from './record-features.ts'
import { authorize, refusal, rights } from './rights.ts'
import { rightsRoutes } from './rights-routes.ts'
import { searchRoutes } from './searches/routes.ts'
import type { Services } from './services.ts'
import { sinceRoutes } from './since/routes.ts'
import { presentToTokens } from './tokens/present.ts'
import { tokenRoutes } from './tokens/routes.ts'

/** The public scope, and inside it the signed-in scope. What is no feature of records is registered here by name. */
export async function api(app: App, { services }: { services: Services }) {
  const { db, settings, guard, deniedRequests } = services
  app.decorateRequest('session', undefined)
  app.decorateRequest('device', undefined)
  app.decorateReply('hasFreshToken', false)
  refuseUnknownParameters(app)
  declareScopes(app, () => 'none')
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    await guard.identify(request, reply)
  })
  const forgery = csrfFailed()
  app.addHook('onRoute', (route) => {
    if (!isUnsafe(String(route.method))) return
    addSecurity(route, 'antiForgery')
    addRefusals(route, forgery)
  })
  app.addHook('preValidation', (request, _reply, done) => {
    guard.refuseForgery(request)
    done()
  })
  app.addHook('onSend', async (request, reply) => {
    guard.keepToken(request, reply)
    const account = request.session?.account
    if (isHopeless(request)) return
    await deniedRequests.record(request, reply, account)
    await auditAccountEvent(db, request, reply, account)
  })
  app.setNotFoundHandler(() => {
    throw notFound('There is nothing at this address')
  })

  apiDocumentRoute(app)
  authRoutes(app, services)
  emailLinkRoutes(app, services)
  ssoRoutes(app, services)
  await app.register(async (signedIn: App) => {
    shareFairly(signedIn, { atOnce: settings.requestsAtOnce, callerOf: (request) => sessionOf(request).account })
    presentToTokens(signedIn, services)
    const refusals = [notSignedIn(), otherAccount({ email: 'grace@mit.edu' })]
    signedIn.addHook('onRoute', (route) => {
      addSecurity(route, 'session')
      addRefusals(route, ...refusals)
    })
    signedIn.addHook('preValidation', (request, _reply, done) => {
      guard.refuseOtherAccount(request)
      done()
    })
    accountRoutes(signedIn, services)
    addressRoutes(signedIn, services)
    noticeRoutes(signedIn, services)
    tokenRoutes(signedIn, services)
    twoFactorRoutes(signedIn, services)
    fellowRoutes(signedIn, services)
    rightsRoutes(signedIn, services)
    sinceRoutes(signedIn, services, kinds)
    followRoutes(signedIn, services, kinds)
    inboxRoutes(signedIn, services, kinds)
    digestRoutes(signedIn, services, kinds)
    liveRoutes(signedIn, services)
    // What belongs to all fellows, which those who may only read cannot change. All above is the caller's own.
    await signedIn.register(async (ofAll: App) => {
      declareScopes(ofAll, scopeByMethod)
      const readOnly = refusal(rights.change)
      ofAll.addHook('onRoute', (route) => {
        if (isUnsafe(String(route.method))) addRefusals(route, readOnly)
      })
      ofAll.addHook('preValidation', (request, _reply, done) => {
        if (isUnsafe(request.method)) authorize(callerOf(request), rights.change)
        done()
      })
      for (const kind of kinds) {
        similarRoutes(ofAll, services, kind)
        recordRoutes(ofAll, services, kind)
        exportRoutes(ofAll, services, kind)
        enrichmentRoutes(ofAll, services, kind)
        recordHistoryRoutes(ofAll, services, kind)
      }
      for (const { routes } of recordFeatures) {
        for (const register of routes) register(ofAll, services, kinds)
      }
      searchRoutes(ofAll, services, kinds)
      bulkRoutes(ofAll, services)
      boardRoutes(ofAll, services, kinds)
      duplicateRoutes(ofAll, services, kinds)
      dismissalRoutes(ofAll, services, kinds)
      mergeRoutes(ofAll, services, kinds)
      importRoutes(ofAll, services, kinds)
      changeRoutes(ofAll, services)
      feedRoutes(ofAll, services)
      pictureRoutes(ofAll, services)
      dashboardRoutes(ofAll, services)
      navCountRoutes(ofAll, services, kinds)
      myFigureRoutes(ofAll, services, kinds)
      await programmeRoutes(ofAll, services)
    })
  })
}
