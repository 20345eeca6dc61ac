import type { Page } from '@playwright/test'
import { type Caller, callApi, expect, own } from './product.ts'

// Records that journeys start from, added by the API. Their addresses differ, so that no two are the same person.

type Added = { id: string; name: string; version: number }

const add = async (caller: Caller, path: string, input: object): Promise<Added> =>
  (await callApi(caller, 'POST', path, { name: own('Record'), notes: 'Met.', ...input })).body

export const addFounder = (caller: Caller, input: object = {}) =>
  add(caller, '/founders', { linkedIn: `https://www.linkedin.com/in/${own('journey')}`, ...input })

export const addCompany = (caller: Caller, input: object = {}) => add(caller, '/companies', input)

/** Two records that may be one, by one fellow. Their names end in the same word. */
export async function addTwins(caller: Caller, kind: 'founders' | 'companies' = 'founders') {
  const word = own('Twin')
  const addRecord = kind === 'founders' ? addFounder : addCompany
  const first = await addRecord(caller, { name: `Ada ${word}`, notes: 'Met at a talk.', rating: 4 })
  const second = await addRecord(caller, { name: `Ada M. ${word}`, notes: 'Met again.', rating: 9 })
  return { word, first, second, path: `/duplicates/merge?show=${kind}&one=${second.id}&other=${first.id}` }
}

/** Merges the second record into the first, as they were added. */
export const merge = (caller: Caller, first: Added, second: Added) =>
  callApi(caller, 'POST', '/records/merge', {
    survivorId: first.id,
    duplicateId: second.id,
    versions: { [first.id]: 1, [second.id]: 1 },
  })

/** Imports the lines of a file by the API. Returns the id of the import. */
export async function importFile(page: Page, name: string, lines: string[], options: object = {}): Promise<string> {
  const token = (await page.context().cookies()).find((cookie) => cookie.name === 'XSRF-TOKEN')?.value ?? ''
  const upload = await page.request.post(`/api/imports?name=${name}`, {
    headers: { 'x-xsrf-token': token, 'content-type': 'application/octet-stream' },
    data: Buffer.from(lines.join('\n')),
  })
  const { id } = await upload.json()
  const state = async () => (await callApi(page, 'GET', `/imports/${id}`)).body.state
  await expect.poll(state).toBe('ready')
  expect((await callApi(page, 'PATCH', `/imports/${id}`, options)).status).toBe(200)
  await expect.poll(state).toBe('ready')
  await callApi(page, 'POST', `/imports/${id}/run`)
  await expect.poll(state).toBe('done')
  return id
}

/** The card of a record. */
export const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })

/** The row of chips above a list. */
export const filters = (page: Page) => page.getByRole('list', { name: 'Filters' })

export const chip = (page: Page, name: string | RegExp) => filters(page).getByRole('button', { name, exact: true })
