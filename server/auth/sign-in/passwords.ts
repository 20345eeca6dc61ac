import { hash, verify } from '@node-rs/argon2'
import { createLimiter } from '#server/http/limiter.ts'
import { publish } from '#server/telemetry.ts'

// OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane (argon2id is the library's default).
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const IN_FLIGHT = 2
const KNOWN_IN_FLIGHT = 1
const WAITING_MAX = 64

/** Normalises a password, so that it does not depend on how the keyboard composed its letters. */
const fold = (password: string) => password.normalize('NFKC')

async function timed<Result>(work: Promise<Result>): Promise<Result> {
  const begun = performance.now()
  try {
    return await work
  } finally {
    publish('hash', { seconds: (performance.now() - begun) / 1000 })
  }
}

export const hashPassword = (password: string): Promise<string> => timed(hash(fold(password), COST))

export const isPassword = (stored: string, password: string): Promise<boolean> => timed(verify(stored, fold(password)))

/**
 * Limits hashing, so that a flood of sign-ins does not slow other requests down. The queue of strangers is shared by
 * network: `alonePercent` of it for one that waits alone, `sharedPercent` while others wait. Known callers have places
 * of their own, shared by account, which no stranger can take.
 */
export function hashLimiter({ alonePercent, sharedPercent }: { alonePercent: number; sharedPercent: number }) {
  const placesOf = (percent: number) => Math.ceil((WAITING_MAX * percent) / 100)
  return {
    strangers: createLimiter({
      atOnce: IN_FLIGHT,
      waitingMax: WAITING_MAX,
      waitingMaxOfOne: placesOf(alonePercent),
      sharedMaxOfOne: placesOf(sharedPercent),
    }),
    known: createLimiter({
      atOnce: KNOWN_IN_FLIGHT,
      waitingMax: WAITING_MAX,
      waitingMaxOfOne: placesOf(sharedPercent),
    }),
  }
}
