// A call that the server reads after a sign-out would get a 401, which browsers write to the console.

export const LOGOUT = '/auth/logout'

/** How long a sign-out waits for the calls before it, in milliseconds. */
const WAIT_MS = 2000

const going = new Set<Promise<unknown>>()
let isSignedIn: Promise<boolean> = Promise.resolve(true)

/** False once the page has signed out. A call that comes while it signs out waits for the answer. */
export const mayCall = () => isSignedIn

export const setSignedIn = (is: boolean) => {
  isSignedIn = Promise.resolve(is)
}

/** A sign-out waits for this call. */
export const awaited = <Answer>(call: Promise<Answer>): Promise<Answer> => {
  const ended: Promise<unknown> = call.catch(() => {}).finally(() => going.delete(ended))
  going.add(ended)
  return call
}

/** Signs out after the calls before it. Those that follow are sent only if it fails. */
export const signOutBy = (send: () => Promise<void>): Promise<void> => {
  const wait = new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  const signedOut = Promise.race([Promise.all(going), wait]).then(send)
  isSignedIn = signedOut.then(
    () => false,
    () => true,
  )
  return signedOut
}
