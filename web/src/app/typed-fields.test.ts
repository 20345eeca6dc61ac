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
  'account/identity/identity-dialog': 'secret',
  'account/name-form': 'draft',
  'account/password': 'secret',
  'account/tokens/make-token': 'draft',
  'account/two-factor/factors-form': 'secret',
  'app/palette/palette-dialog': 'search',
  'auth/auth-screen': 'secret',
  'auth/chosen-email': 'signedOut',
  'auth/email-step': 'signedOut',
  'auth/links/ask-for-link': 'signedOut',
  'auth/links/new-password-form': 'secret',
  'auth/sign-up/code-step': 'secret',
  'auth/sign-up/signup-step': 'signedOut',
  'companies/company-fields': 'draft',
  'fellows/fellow-select': 'search',
  'import/file/dialect-fields': 'file',
  'import/file/paste-rows': 'draft',
  'links/link-form': 'draft',
  'links/role-input': 'draft',
  'notes/note-box': 'draft',
  'opinions/opinion-form': 'draft',
  'pipeline/panel/look-again': 'draft',
  'pipeline/panel/next-step': 'draft',
  'pipeline/prompts/reason-dialog': 'draft',
  'programme/history/act-select': 'search',
  'programme/history/past-acts': 'draft',
  'programme/history/person-select': 'search',
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
  'programme/sending/add-channel': 'secret',
  'programme/sending/add-webhook': 'secret',
  'record-page/facts/correction-form': 'draft',
  'record-page/facts/fields-dialog': 'draft',
  'record-page/merge-with': 'draft',
  'records/card/record-fields': 'draft',
  'records/form/address-field': 'draft',
  'records/list/search-box': 'address',
  'search/filters/inputs': 'address',
  'search/filters/whole-text': 'address',
  'searches/search-dialog': 'draft',
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
  const fields = sources.filter(({ text }) => /<(TextInput|Textarea|PasswordInput|Select|Autocomplete)\b/.test(text))
  expect(fields.map(({ path }) => path).toSorted()).toEqual(Object.keys(FIELDS))
})

it('No field has maxLength, which cuts pasted text without a word', () => {
  expect(sources.filter(({ text }) => text.includes('maxLength=')).map(({ path }) => path)).toEqual([])
})
