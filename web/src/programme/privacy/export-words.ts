import { capital } from '#contract/plain-text.ts'

// An export in words: its act and kind, and its filter, as the history has them.

const WHAT: Record<string, string> = {
  'export founder': 'founders',
  'export company': 'companies',
  'export history': 'the history',
  'export import': 'refused rows of an import',
  'export-calendar': 'a calendar file',
}

export const exportInWords = (what: string): string => capital(WHAT[what] ?? what.replaceAll('-', ' '))

/** Parts of a detail that filter nothing. */
const ABOUT = ['count', 'isComplete', 'format']

export function filterInWords(filter: Record<string, unknown>): string {
  const parts = Object.entries(filter).filter(([name]) => !ABOUT.includes(name))
  const words = parts.map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const count = typeof filter.count === 'number' ? `, ${filter.count} rows` : ''
  return `${words.length === 0 ? 'all' : words.join(', ')}${count}`
}
