import { hash, verify } from '@node-rs/argon2'
import { busy } from '#server/errors.ts'

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane (the library's default algorithm is argon2id).
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const IN_FLIGHT = 2
const WAITING_MAX = 64

/** One form of a password, however the keyboard composed its letters. */
const fold = (password: string) => password.normalize('NFKC')

export const hashPassword = (password: string): Promise<string> => hash(fold(password), COST)

export const isPassword = (stored: string, password: string): Promise<boolean> => verify(stored, fold(password))

/**
 * Lets a few hashes run at a time and a bounded number wait, so that a flood of sign-ins costs the others nothing.
 * Beyond that, `turn` throws the 503 that asks to come back.
 */
export function hashingTurns() {
  const waiting: (() => void)[] = []
  let running = 0

  return async function turn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= IN_FLIGHT) {
      if (waiting.length >= WAITING_MAX) throw busy(1)
      // The turn is handed over by the one that ends, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
