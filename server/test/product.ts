import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
/** The files of the container image besides packages, which are in a parent folder. */
const PARTS = ['package.json', 'dist/server', 'dist/web']
const PLACE = join(ROOT, '.cache/product')

/**
 * The folder of the built product: a copy apart from the sources, which detects files that the build left out. All
 * tests of a build share one copy.
 */
export function productFolder(): string {
  const digest = createHash('sha256')
  for (const part of ['server', 'web']) digest.update(stampOf(part))
  const folder = join(PLACE, digest.digest('hex').slice(0, 16))
  if (existsSync(folder)) return folder
  mkdirSync(PLACE, { recursive: true })
  const next = mkdtempSync(join(PLACE, 'next-'))
  // For servers that run as another user.
  chmodSync(next, 0o755)
  for (const part of PARTS) cpSync(join(ROOT, part), join(next, part), { recursive: true })
  try {
    renameSync(next, folder)
  } catch (error) {
    // Another process created it first.
    rmSync(next, { recursive: true })
    if (!existsSync(folder)) throw error
  }
  for (const name of readdirSync(PLACE)) {
    if (!name.startsWith('next-') && join(PLACE, name) !== folder) rmSync(join(PLACE, name), { recursive: true })
  }
  return folder
}

function stampOf(part: string): string {
  const file = join(ROOT, `dist/${part}.sha256`)
  if (!existsSync(file)) throw new Error('The tests run the built product: build it with `npm run build`.')
  return readFileSync(file, 'utf8')
}

/** Arguments of Node that run the built server or its operator's command line. */
export const productArguments = (name: 'main' | 'operator') => [join(productFolder(), `dist/server/${name}.js`)]
