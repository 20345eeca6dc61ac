import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('Every benchmark still runs on small databases', { timeout: 900_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [`${import.meta.dirname}/main.ts`, '--small'])
  expect(stdout).toMatch(/^\| Founders \|/m)
  expect(stdout).toMatch(/^\| import twice \|/m)
})
