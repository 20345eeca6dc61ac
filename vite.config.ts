import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** In production the server fills these in, once an answer; in development nothing stands between Vite and the page. */
const pageSettings = (): Plugin => ({
  name: 'page-settings',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replaceAll('%TEAM_DOMAIN%', 'example.com')
      .replaceAll('%PROGRAMME_NAME%', 'Venture Fellows')
      .replaceAll('%CSP_NONCE%', ''),
})

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/** Of brotli's qualities the best that costs less than a second: the very best takes three times as long for 2 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }

/**
 * Puts `.br` and `.gz` beside every file that is text, for the server to choose from. Not beside the page, which is
 * filled in anew for each answer.
 */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle: async ({ dir = '' }) => {
    const names = await readdir(dir, { recursive: true })
    const compress = async (name: string) => {
      const content = await readFile(join(dir, name))
      await writeFile(join(dir, `${name}.br`), await asBrotli(content, BROTLI))
      await writeFile(join(dir, `${name}.gz`), await asGzip(content, { level: 9 }))
    }
    await Promise.all(names.filter((name) => /\.(js|css|svg)$/.test(name)).map(compress))
  },
})

export default defineConfig({
  root: 'web',
  plugins: [react(), pageSettings(), compressed()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The content security policy admits files of our own address only, so nothing is inlined as data:.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { port: 5173, proxy: { '/api': 'http://127.0.0.1:3000' } },
})
