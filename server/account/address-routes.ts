import { z } from 'zod'
import { AddressConfirmation, AddressInput } from '#contract/account.ts'
import { UserAnswer } from '#contract/auth.ts'
import { refuseUnconfirmed } from '#server/auth/sessions/confirmation.ts'
import { callerOf, sessionOf } from '#server/auth/sessions/session.ts'
import { signUpRefusals } from '#server/auth/sign-up/sign-up.ts'
import type { App } from '#server/http/app.ts'
import { addressTaken, confirmFirst, linkOfOther, linkRefused, noMailForAddress } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'

const tag = 'Account'

/** Another address for the caller's account, proven by a link that is sent to it. */
export function addressRoutes(app: App, { settings, addressChange }: Services) {
  app.post(
    '/account/address',
    head({
      ...{ operationId: 'requestAddressChange', summary: 'Send a link to another address for the account', tag },
      audit: { action: 'account-address-request', kind: 'account' },
      body: AddressInput,
      answers: { 204: z.null().describe('Sent. Also if the address has an account, which its owner then reads') },
      refusals: [confirmFirst(), noMailForAddress(), ...signUpRefusals(settings)],
      isThrottled: true,
    }),
    async (request, reply) => {
      refuseUnconfirmed(request)
      await addressChange.request(callerOf(request), request.body.email.toLowerCase(), request.ip)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/account/address/confirm',
    head({
      ...{ operationId: 'confirmAddressChange', summary: 'Move the account to the address of a link', tag },
      audit: { action: 'account-address', kind: 'account', isWritten: true },
      body: AddressConfirmation,
      answers: { 200: UserAnswer },
      refusals: [linkRefused(), linkOfOther(), addressTaken(), ...signUpRefusals(settings)],
    }),
    async (request) => ({
      user: await addressChange.confirm(request.body.token, callerOf(request), sessionOf(request).id),
    }),
  )
}
