// Bundles the server into the folder that is named. Loading some thousand modules one by one takes it 200 MB and a second.
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'rolldown'

const [folder = 'dist/server'] = process.argv.slice(2)

/** What is read at run time, to be found beside the bundle by the path that it has in `server/` (server/files.ts). */
const FILES = ['db/migrations']

await build({
  input: {
    main: 'server/main.ts',
    operator: 'server/ops/cli/main.ts',
    'db/embedded/worker': 'server/db/embedded/worker.ts',
  },
  platform: 'node',
  // What reads files of its own: native code, WebAssembly, SQL. `pg` asks for `pg-native` only where that is chosen.
  external: [/^@electric-sql\/pglite/, '@node-rs/argon2', 'sharp', 'pg-boss', 'pg-native'],
  output: {
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // For `--enable-source-maps`, which holds them in memory: without the text of the sources.
    sourcemap: true,
    sourcemapExcludeSources: true,
  },
})

for (const path of FILES) await cp(join('server', path), join(folder, path), { recursive: true })
