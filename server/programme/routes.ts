import { confirmWhereDeclared } from '#server/auth/sessions/confirmation.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { declareScopes } from '#server/auth/tokens/scopes.ts'
import { channelRoutes } from '#server/channels/routes.ts'
import { figureRoutes } from '#server/figures/routes.ts'
import type { App } from '#server/http/app.ts'
import { addRefusals } from '#server/http/head.ts'
import { kinds } from '#server/kinds.ts'
import { authorize, refusal, rights } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import { tokenSettingRoutes } from '#server/tokens/setting-routes.ts'
import { webhookRoutes } from '#server/webhooks/routes.ts'
import { weekRoutes } from '#server/week/routes.ts'
import { deletedRoutes } from './deleted/routes.ts'
import { historyRoutes } from './history/routes.ts'
import { informingRoutes } from './informing/routes.ts'
import { invitationRoutes } from './people/invitation-routes.ts'
import { leavingRoutes } from './people/leaving-routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { signUpRoutes } from './people/sign-up-routes.ts'
import { privacyRoutes } from './privacy/routes.ts'
import { sendingRoutes } from './sending/routes.ts'

/** The calls of *Programme*, for managers. Each feature is registered here by name. */
export async function programmeRoutes(app: App, services: Services) {
  await app.register(async (managed: App) => {
    declareScopes(managed, () => 'none')
    managed.addHook('onRoute', (route) => addRefusals(route, refusal(rights.programme)))
    managed.addHook('preHandler', (request, _reply, done) => {
      authorize(callerOf(request), rights.programme)
      done()
    })
    confirmWhereDeclared(managed)
    deletedRoutes(managed, services)
    figureRoutes(managed, services, kinds)
    weekRoutes(managed, services, kinds)
    historyRoutes(managed, services)
    peopleRoutes(managed, services)
    leavingRoutes(managed, services)
    invitationRoutes(managed, services)
    signUpRoutes(managed, services)
    privacyRoutes(managed, services)
    informingRoutes(managed, services)
    sendingRoutes(managed, services)
    channelRoutes(managed, services)
    tokenSettingRoutes(managed, services)
    webhookRoutes(managed, services)
  })
}
