import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { productArguments } from '#server/test/product.ts'
import type { Product } from './product.ts'

/** Runs `npm run operator -- …` beside the server, and returns its output. */
export const operate = async ({ folder }: Product, ...args: string[]): Promise<string> => {
  const program = [...productArguments('operator'), ...args]
  const { stdout } = await promisify(execFile)(process.execPath, program, { env: { DATA_DIR: folder } })
  return stdout
}
