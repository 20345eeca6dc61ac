// Answers of the server that were asked for before the code that needs them was here. They stand on the page itself, as the
// script that asks is a file of its own (app/before-paint.ts).

type Early = { answer: Promise<Response | undefined>; isHere: boolean }

const page: typeof globalThis & { early?: Map<string, Early> } = globalThis

/** Where all of the API is. */
export const BASE = '/api'

/** Has the server say "nobody" without a 401 where it can, because browsers write every 401 to the console. */
export const LENIENT = { Prefer: 'handling=lenient' }

/** Early answers are used at the start or not at all. */
const EARLY_FOR = 10_000

/** Asks before anything can show the answers, for the first call of each path to find its answer under way or here. */
export const askEarly = (paths: string[]) => {
  const early = new Map<string, Early>()
  for (const path of paths) {
    const headers = { Accept: 'application/json', ...LENIENT }
    const answer = fetch(BASE + path, { headers, credentials: 'same-origin' }).catch(() => undefined)
    const entry: Early = { answer, isHere: false }
    void answer.then(() => {
      entry.isHere = true
    })
    early.set(path, entry)
  }
  page.early = early
  setTimeout(() => early.clear(), EARLY_FOR)
}

/** Whether the answer of this path has come early. */
export const isHere = (path: string) => page.early?.get(path)?.isHere ?? false

/** The answer that was asked for early, once; none is true any more when something was changed since. */
export const takeEarly = async (method: string, path: string) => {
  const answer = method === 'GET' ? page.early?.get(path)?.answer : undefined
  if (method === 'GET') page.early?.delete(path)
  else page.early?.clear()
  return answer
}
