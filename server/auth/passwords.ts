import { hash, verify } from '@node-rs/argon2'
import { createLimiter } from '#server/http/limiter.ts'
import { publish } from '#server/ops/telemetry.ts'

// OWASP's first recommendation for argon2id: 19 MiB, two passes, one lane (argon2id is the library's default).
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const IN_FLIGHT = 2
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
 * Limits hashing, so that a flood of sign-ins does not slow other requests down. The owner of a hash is the network
 * that asks, which may use `queuePercent` of the queue.
 */
export const hashLimiter = (queuePercent: number) =>
  createLimiter({
    atOnce: IN_FLIGHT,
    waitingMax: WAITING_MAX,
    waitingMaxOfOne: Math.floor((WAITING_MAX * queuePercent) / 100),
  })
