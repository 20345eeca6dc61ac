import { hash, verify } from '@node-rs/argon2'
import { createLimiter } from '#server/http/limiter.ts'
import { publish } from '#server/ops/telemetry.ts'

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane (the library's default algorithm is argon2id).
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const IN_FLIGHT = 2
const WAITING_MAX = 64

/** One form of a password, however the keyboard composed its letters. */
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
 * Limits hashes, so that a flood of sign-ins costs other requests nothing. Their owner is the network that asks, and may
 * take `queuePercent` of the places in the queue.
 */
export const hashLimiter = (queuePercent: number) =>
  createLimiter({
    atOnce: IN_FLIGHT,
    waitingMax: WAITING_MAX,
    waitingMaxOfOne: Math.floor((WAITING_MAX * queuePercent) / 100),
  })
