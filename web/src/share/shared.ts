import type { RecordKind } from '#web/records/kind.ts'

/** The shared data, with the names of the web manifest. */
export type Shared = { title: string; address: string; text: string }

/** Phones often put the address into the text. */
export const sharedIn = (query: URLSearchParams): Shared => {
  const [title = '', url = '', text = ''] = ['title', 'url', 'text'].map((name) => query.get(name)?.trim())
  const address = url || (/https?:\/\/\S+/i.exec(text)?.[0] ?? '')
  return { title, address, text: text.replace(address, '').trim() }
}

const LINKEDIN = /^https?:\/\/([\w-]+\.)*linkedin\.com\//i

/** The values of the form. An address without a field goes into the notes. */
export const valuesFor = ({ addressField }: Pick<RecordKind, 'addressField'>, { title, address, text }: Shared) =>
  LINKEDIN.test(address) === (addressField === 'linkedIn')
    ? { name: title, [addressField]: address, notes: text }
    : { name: title, notes: [text, address].filter(Boolean).join('\n\n') }
