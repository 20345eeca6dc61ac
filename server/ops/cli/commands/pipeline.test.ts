import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '#server/ops/settings.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import type { Command } from '../command.ts'
import { reasons, stages } from './pipeline.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const operate = async (command: Command, ...args: string[]) => {
  const lines: string[] = []
  const { database, db } = test
  const caller = { folder: '.', signal: new AbortController().signal, out: (line: string) => void lines.push(line) }
  const code = await command.run({ database, db, settings: readSettings({}), ...caller }, args)
  return { code, lines }
}

describe('The operator', () => {
  it('lists, adds, orders, renames, limits, archives and restores stages', { tags: 'slow' }, async () => {
    expect(await operate(stages, 'list')).toEqual({ code: 0, lines: ['1  Contacted', '2  Met', '3  In review'] })
    expect((await operate(stages, 'add', 'Board')).lines).toEqual([
      ...['1  Contacted', '2  Met', '3  In review', '4  Board'],
    ])
    await operate(stages, 'order', 'board', '1')
    await operate(stages, 'rename', 'Met', 'Met in person')
    await operate(stages, 'limit', 'Board', '14')
    expect((await operate(stages, 'archive', 'Contacted')).lines).toEqual([
      ...['1  Board, at most 14 days', '2  Met in person', '3  In review', '-  Contacted, archived'],
    ])
    await operate(stages, 'limit', 'Board', 'none')
    await operate(stages, 'restore', 'Contacted')
    expect((await operate(stages, 'list')).lines).toEqual([
      ...['1  Board', '2  Met in person', '3  In review', '4  Contacted'],
    ])
    const { client } = await fellowOf(test)
    expect(JSON.parse((await operate(stages, 'list', '--json')).lines.join(''))).toEqual(
      (await client.get('/api/stages')).body,
    )
  })

  const EARLY = 'Too early, look again after 6 months'

  it('lists, adds, orders, renames and removes reasons for passing, and says when to look again', async () => {
    const all = ['Not a fit', EARLY, 'Team', 'Market', 'Traction', 'Went elsewhere', 'No reply']
    expect((await operate(reasons, 'list')).lines).toEqual(all.map((name, at) => `${at + 1}  ${name}`))
    await operate(reasons, 'add', 'Pivoted')
    await expect(operate(reasons, 'add', 'Ninth')).rejects.toThrow('There can be 8 reasons at most.')
    await operate(reasons, 'order', 'Pivoted', '1')
    await operate(reasons, 'rename', 'team', 'Team of one')
    const { lines } = await operate(reasons, 'remove', 'Market')
    expect(lines).toEqual([
      ...['1  Pivoted', '2  Not a fit', `3  ${EARLY}`, '4  Team of one', '5  Traction', '6  Went elsewhere'],
      '7  No reply',
    ])
    expect((await operate(reasons, 'look-again', 'traction', '12')).lines[4]).toBe(
      '5  Traction, look again after 12 months',
    )
    expect((await operate(reasons, 'look-again', 'Traction', 'none')).lines[4]).toBe('5  Traction')
    await expect(operate(reasons, 'look-again', 'Traction', '4')).rejects.toThrow(
      'Look again must be after 3, 6, 12 months.',
    )
  })

  it('keeps the last reason and the last stage', async () => {
    const { client } = await fellowOf(test)
    const namesOf = async (path: string): Promise<string[]> =>
      (await client.get(path)).body.map(({ name }: { name: string }) => name)
    const [stage, ...otherStages] = await namesOf('/api/stages')
    for (const name of otherStages) await operate(stages, 'archive', name)
    await expect(operate(stages, 'archive', stage as string)).rejects.toThrow('This is the last stage.')
    for (const name of otherStages) await operate(stages, 'restore', name)
    const [reason, ...otherReasons] = await namesOf('/api/passing-reasons')
    for (const name of otherReasons) await operate(reasons, 'remove', name)
    await expect(operate(reasons, 'remove', reason as string)).rejects.toThrow('at least one reason for passing.')
    for (const name of otherReasons) await operate(reasons, 'add', name)
  })

  it('gets a clear sentence for what there is not, or is not valid', async () => {
    await expect(operate(stages, 'archive', 'X\u0007')).rejects.toThrow('There is no stage "X".')
    await expect(operate(stages, 'add', 'In review')).rejects.toThrow('Another stage has this name.')
    await expect(operate(stages, 'limit', 'In review', 'soon')).rejects.toThrow(
      'The limit must be a whole number of days',
    )
    await expect(operate(stages, 'order', 'In review', '0')).rejects.toThrow('Position must be a whole number')
    await expect(operate(reasons, 'remove', 'X')).rejects.toThrow('There is no reason "X".')
    await expect(operate(reasons, 'order', 'Traction', 'x')).rejects.toThrow('Position must be a whole number from 1.')
    for (const args of [['add'], ['rename', 'In review'], ['list', 'x'], ['drop', 'In review'], ['constructor', 'x']]) {
      expect([args, (await operate(stages, ...args)).code]).toEqual([args, 2])
    }
    expect((await operate(reasons, 'limit', 'Team', '3')).code).toBe(2)
  })
})
