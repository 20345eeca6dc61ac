// Bundles the server into the given folder. Loading some thousand separate modules costs 200 MB and a second.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'

const [folder = 'dist/server'] = process.argv.slice(2)

/**
 * Files that are read at run time. They get the same path beside the bundle as they have in `server/`
 * (server/files.ts).
 */
const FILES = ['db/functions', 'db/migrations']

await build({
  input: {
    main: 'server/main.ts',
    operator: 'server/ops/cli/main.ts',
    'import/read/process/program': 'server/import/read/process/program.ts',
  },
  platform: 'node',
  // Packages that read files of their own: native code, SQL. `pg` loads `pg-native` only where it is
  // chosen.
  external: ['@node-rs/argon2', 'sharp', 'pg-boss', 'pg-native'],
  output: {
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // `--enable-source-maps` keeps these in memory, so they do not include the sources.
    sourcemap: true,
    sourcemapExcludeSources: true,
  },
})

for (const path of FILES) await cp(join('server', path), join(folder, path), { recursive: true })
