import type { Page } from '@playwright/test'
import { type Caller, callApi, expect } from './product.ts'

// The pipeline of records, for journeys.

type Stage = { id: string; name: string; archived: boolean }

/** A part of the page of a record. */
export const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** The id of a stage. */
export async function stageNamed(caller: Caller, name: string): Promise<string> {
  const { body } = await callApi(caller, 'GET', '/stages')
  return (body as Stage[]).find((stage) => stage.name === name)?.id ?? ''
}

export const pipelineOf = async (caller: Caller, id: string) =>
  (await callApi(caller, 'GET', `/records/${id}/pipeline`)).body

/** Changes the pipeline of a record by the API, at its current version. */
export async function setPipeline(caller: Caller, id: string, change: object) {
  const { version } = await pipelineOf(caller, id)
  const { status } = await callApi(caller, 'PUT', `/records/${id}/pipeline`, { ...change, version })
  expect(status).toBe(200)
}
