import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PAGE_MAX } from '#contract/limits.ts'
import { startTestApp, type TestApp } from './test/test-app.ts'

// Calls that may read or write more than 100 rows declare in their head how many (`http/fair-share.ts`), including future
// ones.

let test: TestApp
const routes: RouteOptions[] = []
const collect = (message: unknown) =>
  (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => void routes.push(route))

beforeAll(async () => {
  subscribe('fastify.initialization', collect)
  test = await startTestApp()
  unsubscribe('fastify.initialization', collect)
})
afterAll(() => test.close())

const nameOf = ({ method, url }: RouteOptions) => `${method} ${url}`
const rowsOf = ({ config }: RouteOptions, asked: { query?: unknown; body?: unknown }) =>
  config?.rows?.({ query: {}, body: {}, ...asked })
const isCall = ({ url, method }: RouteOptions) => url.startsWith('/api/') && method !== 'HEAD'

const longPages = () => {
  const query = ({ schema }: RouteOptions) => schema?.querystring as z.ZodObject | undefined
  return routes.filter(
    (route) => isCall(route) && query(route)?.shape?.limit?.safeParse(String(PAGE_MAX)).success === true,
  )
}

const MANY = 100
type Shape = { type?: string; maxItems?: number; [key: string]: unknown }

/** Whether a list of over 100 items fits anywhere into the shape. */
function takesMany(shape: unknown): boolean {
  if (typeof shape !== 'object' || shape === null) return false
  const { type, maxItems = Number.POSITIVE_INFINITY } = shape as Shape
  return (type === 'array' && maxItems > MANY) || Object.values(shape).some(takesMany)
}

const longBodies = () =>
  routes.filter(({ schema, ...route }) => {
    if (!isCall(route as RouteOptions) || !(schema?.body instanceof z.ZodType)) return false
    return takesMany(z.toJSONSchema(schema.body, { io: 'input', unrepresentable: 'any' }))
  })

/** Lists that a rule of their own keeps short: the columns of a file, and 20 tags of one record. */
const FEW = ['PATCH /api/imports/:id', 'PUT /api/records/:id/tags']

describe('A call of many rows', () => {
  it('declares the length of its page', () => {
    expect(longPages().length).toBeGreaterThanOrEqual(15)
    for (const route of longPages()) {
      expect([nameOf(route), rowsOf(route, { query: { limit: PAGE_MAX } })]).toEqual([nameOf(route), PAGE_MAX])
    }
  })

  it('declares the rows that its body lists', () => {
    const names = longBodies().map(nameOf)
    expect(names).toContain('POST /api/records/bulk')
    const undeclared = longBodies().filter((route) => route.config?.rows === undefined)
    expect(undeclared.map(nameOf).sort()).toEqual(FEW)
    const bulk = routes.find((route) => nameOf(route) === 'POST /api/records/bulk') as RouteOptions
    expect(rowsOf(bulk, { body: { ids: Array(500).fill('') } })).toBe(500)
  })

  it.each([
    'POST /api/programme/privacy/search',
    'POST /api/programme/privacy/report',
    'POST /api/programme/privacy/erase',
    'GET /api/programme/people/leave',
    'POST /api/programme/people/leave',
    'POST /api/programme/people/:id/erase',
    'DELETE /api/tags/:id',
  ])('takes all places of its account where it may read or write any number: %s', (name) => {
    const route = routes.find((one) => nameOf(one) === name) as RouteOptions
    expect(rowsOf(route, {})).toBe(Number.POSITIVE_INFINITY)
  })
})
