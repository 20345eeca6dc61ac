import { expect, it } from 'vitest'

// Every field that takes text, and how Escape, a reload and the end of a session lose nothing that was typed in it.

const KEPT = {
  draft: 'a draft of the account: `useDraft`, or a form on `drafts`',
  address: 'the address of the page, once it is a search or a filter; Escape completes it',
  secret: 'not at all: a password or a code is never stored',
  signedOut: 'not at all: without an account, the next person at the browser would see it',
  search: 'not at all: it only finds what to choose, and is empty each time it opens',
  file: 'the server, which reads the file again with each change',
} as const

/** By the file of each. */
const FIELDS: Record<string, keyof typeof KEPT> = {
  'account/change-address': 'draft',
  'account/factors-form': 'secret',
  'account/identity/identity-dialog': 'secret',
  'account/name-form': 'draft',
  'account/password': 'secret',
  'app/palette/palette-dialog': 'search',
  'auth/ask-for-link': 'signedOut',
  'auth/auth-screen': 'secret',
  'auth/chosen-email': 'signedOut',
  'auth/code-step': 'secret',
  'auth/email-step': 'signedOut',
  'auth/new-password-form': 'secret',
  'auth/signup-step': 'signedOut',
  'companies/company-fields': 'draft',
  'fellows/fellow-select': 'search',
  'import/dialect-fields': 'file',
  'import/paste-rows': 'draft',
  'links/link-form': 'draft',
  'links/role-input': 'draft',
  'notes/note-box': 'draft',
  'opinions/opinion-form': 'draft',
  'pipeline/next-step': 'draft',
  'pipeline/reason-dialog': 'draft',
  'programme/history/past-acts': 'draft',
  'programme/informing/letter-dialog': 'draft',
  'programme/people/allow-spelling': 'draft',
  'programme/people/change-person': 'draft',
  'programme/people/invite': 'draft',
  'programme/people/people': 'address',
  'programme/people/sign-up': 'draft',
  'programme/pipeline/reasons': 'draft',
  'programme/pipeline/stage-form': 'draft',
  'programme/privacy/privacy': 'draft',
  'programme/privacy/results': 'draft',
  'record-page/correction-form': 'draft',
  'record-page/merge-with': 'draft',
  'records/address-field': 'draft',
  'records/record-fields': 'draft',
  'records/search-box': 'address',
  'search/filters/inputs': 'address',
  'tags/tag-input': 'draft',
}

const sources = Object.entries(
  import.meta.glob<string>('../**/*.tsx', { query: '?raw', import: 'default', eager: true }),
).map(([path, text]) => ({
  path: path
    .replace(/^\.\.\//, '')
    .replace(/^\.\//, 'app/')
    .replace(/\.tsx$/, ''),
  text,
}))

it('Each field that takes text is in the list of how it is kept', () => {
  const fields = sources.filter(({ text }) => /<(TextInput|Textarea|PasswordInput|Select)\b/.test(text))
  expect(fields.map(({ path }) => path).toSorted()).toEqual(Object.keys(FIELDS))
})

it('No field has maxLength, which cuts pasted text without a word', () => {
  expect(sources.filter(({ text }) => text.includes('maxLength=')).map(({ path }) => path)).toEqual([])
})
