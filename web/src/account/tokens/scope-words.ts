import type { TokenScope } from '#contract/token-scopes.ts'

export const scopeWords: Record<TokenScope, { short: string; label: string; text: string }> = {
  read: {
    short: 'reads',
    label: 'Read',
    text: 'Records, notes and lists, without the addresses and opinions of others',
  },
  export: { short: 'exports', label: 'Export', text: 'Files and calendars, and any number of records' },
  write: {
    ...{ short: 'writes', label: 'Write' },
    text: 'Adds and changes records, notes, tags, the pipeline and your own opinion, and imports files',
  },
}
