import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin } from 'vite'

/** Of the component library, what most screens need: all but forms, dialogs and the chart. */
const COMPONENTS =
  /node_modules\/(react-remove-scroll|use-sidecar|use-callback-ref|react-style-singleton|tslib|@tabler|@mantine\/(notifications|hooks\/esm\/(?!use-focus-(trap|return))|core\/esm\/(core|components\/(?!Modal|ScrollArea|Overlay|FocusTrap|VisuallyHidden|Textarea|Tabs|PasswordInput))))/

/** What many screens share: of `auth`, only who is signed in. */
const SHARED = /web\/src\/(?!pages|app|auth\/(?!api|last-session|use-current-user))/

/** What every screen behind sign-in needs, and no other: else each of these would be a file of its own. */
const FRAME =
  /web\/src\/(app\/(frame|snapshot)\/|live\/|(history|notes|dashboard|my-records)\/api|ui\/questions|records\/(record-list|use-reload-list))|Icon(BuildingSkyscraper|UserSearch)\./

/** What more than one form needs, and no list: it needs schemas. */
const FORMS =
  /@mantine\/(form|core\/esm\/components\/PasswordInput)|web\/src\/(records\/rating-input|ui\/use-checked-form|auth\/(new-password|awaited-address))/

/**
 * Of these nearly all functions are called before anything is shown. Told so, V8 compiles them beside the page's own thread
 * as they come, and keeps them compiled for the next visit, in place of one after the other when each is first called.
 */
const CALLED_ON_LOAD = ['first', 'react', 'components', 'start', 'records', 'frame']

/** In production the server fills these in, once an answer; in development nothing stands between Vite and the page. */
const pageSettings = (): Plugin => ({
  name: 'page-settings',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replaceAll('%TEAM_DOMAIN%', 'example.com')
      .replaceAll('%PROGRAMME_NAME%', 'Venture Fellows')
      .replaceAll('%MAIL%', 'false')
      .replaceAll('%SSO%', '[]')
      .replaceAll('%PASSWORD_MIN%', '6')
      .replaceAll('%CSP_NONCE%', '')
      .replaceAll('%SNAPSHOT_KEY%', '')
      .replace('vite-ignore src="/src/app/before-paint.ts"', 'type="module" src="/src/app/before-paint.ts"'),
})

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/** The best there is: it costs the build two seconds, and saves every first visit 2 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

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

/**
 * The script that runs before the first paint is no module, as those wait until the page has been read. Built by itself
 * into one file, with a name by its content as all others have, to be kept for ever.
 */
const beforePaint = (): Plugin => {
  let fileName = ''
  return {
    name: 'before-paint',
    apply: 'build',
    async buildStart() {
      const source = await builtAlone('web/src/app/before-paint.ts')
      fileName = `assets/before-paint-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml: (html) => html.replace('/src/app/before-paint.ts', `/${fileName}`),
  }
}

const builtAlone = async (entry: string) => {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, lib: { entry, formats: ['iife'], name: 'beforePaint', fileName: 'before-paint' } },
  })
  const [chunk] = [built].flat().flatMap((result) => ('output' in result ? result.output : []))
  if (chunk?.type !== 'chunk') throw new Error(`${entry} was not built`)
  return chunk.code
}

/** Has the page's first answer name the files that its first script will ask for, whatever the address. */
const preloaded = (): Plugin => ({
  name: 'preloaded',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const chunkOf = (name: string) => chunks.find(({ fileName }) => fileName === name)
      const withImports = (names: string[]): string[] =>
        names.flatMap((name) => [name, ...withImports(chunkOf(name)?.imports ?? [])])
      const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/app/start.tsx'))
      const entry = chunks.find(({ isEntry }) => isEntry)
      const named = withImports(entry ? [entry.fileName] : [])
      return [...new Set(withImports(start ? [start.fileName] : []))]
        .filter((file) => !named.includes(file))
        .map((file) => ({ tag: 'link', attrs: { rel: 'modulepreload', href: `/${file}` }, injectTo: 'head' }))
    },
  },
})

export default defineConfig({
  root: 'web',
  resolve: {
    alias: [{ find: /^zod$/, replacement: fileURLToPath(new URL('web/src/lib/strict-zod.ts', import.meta.url)) }],
  },
  plugins: [react(), pageSettings(), beforePaint(), preloaded(), compressed()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The content security policy admits files of our own address only, so nothing is inlined as data:.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        postBanner: ({ name }) => (CALLED_ON_LOAD.includes(name) ? '//# allFunctionsCalledOnLoad' : ''),
        codeSplitting: {
          // Few files, as on a phone's line each has a price beside its bytes; in layers, so that none needs the next.
          groups: [
            { name: 'first', tags: ['$initial'] },
            // With two trifles that would else be files of their own: the limits before the schemas take them along, and lists
            // would wait for schemas.
            {
              name: 'react',
              test: /node_modules\/(react|react-dom|scheduler|get-nonce|react-router|@tanstack\/(react-query|query-core)|@mantine\/hooks\/esm\/use-force-update)\/|\/contract\/(limits|plain-text)/,
            },
            { name: 'contract', test: /node_modules\/zod\/|strict-zod|\/contract\/(?!account)/ },
            { name: 'components', test: COMPONENTS, minShareCount: 3 },
            {
              name: 'dialogs',
              test: /@mantine\/(hooks\/esm\/use-focus-(trap|return)|core\/esm\/components\/(Modal|ScrollArea|Overlay|FocusTrap|VisuallyHidden))/,
            },
            { name: 'records', test: (id) => SHARED.test(id) && !FORMS.test(id), minShareCount: 3 },
            { name: 'forms', test: FORMS },
            { name: 'frame', test: FRAME },
            { name: 'auth', test: /web\/src\/auth/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': 'http://127.0.0.1:3000' } },
})
