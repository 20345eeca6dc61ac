/** What enrichment left in a record, as an object; text that is no JSON object says nothing. */
export function readInfo(text: string | null): Record<string, unknown> {
  try {
    const info: unknown = JSON.parse(text ?? '{}')
    return typeof info === 'object' && info !== null && !Array.isArray(info) ? { ...info } : {}
  } catch {
    return {}
  }
}
