export const UNIQUE_VIOLATION = '23505'

/**
 * The SQLSTATE of a failed statement, from any driver or wrapper. Undefined for other errors, including system errors
 * with a code of the same length, such as EPIPE.
 */
export function sqlState(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[0-9FHPX][0-9A-Z]{4}$/.test(at.code)) return at.code
  }
  return undefined
}
