import { ApiError } from '#web/lib/http.ts'

let show = (answer: (isConfirmed: boolean) => void) => answer(false)

/** Sets the function that asks (see identity-host.tsx). */
export const onAskIdentity = (listener: typeof show) => {
  show = listener
}

/** Makes a call, and once again after the person has proven who they are, if the server asks for that. */
export async function withIdentity<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call()
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.code !== 'confirm') throw failure
    if (await new Promise<boolean>((answer) => show(answer))) return call()
    throw failure
  }
}
