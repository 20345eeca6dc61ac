import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build as buildWorker } from 'rolldown'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { OFFLINE_PAGE } from './contract/offline.ts'

/** In production the server fills these in for each response. In development Vite serves the page directly. */
const pageSettings = (): Plugin => ({
  name: 'page-settings',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replaceAll('%TEAM_DOMAIN%', 'example.com')
      .replaceAll('%JOIN_DOMAINS%', '')
      .replaceAll('%PROGRAMME_NAME%', 'Venture Fellows')
      .replaceAll('%MAIL%', 'false')
      .replaceAll('%SSO%', '[]')
      .replaceAll('%PASSWORD_MIN%', '6')
      .replaceAll('%SERVICE_WORKER%', 'off')
      .replaceAll('%CSP_NONCE%', '')
      .replaceAll('%ACCOUNT%', ''),
})

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/** The best there is: it costs the build two seconds, and saves every first visit 2 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }

/**
 * Puts `.br` and `.gz` beside every file that is text, for the server to choose from. Not beside the page, which is
 * filled in for each response.
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
 * The only script that is not a module, because it runs before the first paint. Its name contains its hash, as all
 * others.
 */
const colorScheme = (): Plugin => ({
  name: 'color-scheme',
  apply: 'build',
  async buildStart() {
    this.emitFile({ type: 'asset', name: 'color-scheme.js', source: await readFile('web/src/app/color-scheme.js') })
  },
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const file = Object.keys(bundle).find((name) => name.startsWith('assets/color-scheme'))
      return html.replace('/src/app/color-scheme.js', `/${file}`)
    },
  },
})

/** What programs can do, as the account page shows it. */
const tools = (): Plugin => ({
  name: 'tools',
  apply: 'build',
  async buildStart() {
    this.emitFile({ type: 'asset', fileName: 'tools.txt', source: await readFile('docs/tools.md') })
  },
})

/** What an add form needs without a network: the frame, the forms, and what sends them (web/src/pages/records-add-page.tsx). */
const KEPT =
  /\/(index\.html|pages\/(records-add|waiting)-page\.tsx|outbox\/send\.ts|app\/offline-screen\.tsx|ui\/dialogs\/confirm-dialog\.tsx|\w+-fields\.tsx)$/

/** Builds the service worker, with the names of the files that it keeps. */
const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: 'build',
  writeBundle: {
    order: 'pre',
    sequential: true,
    handler: async ({ dir = '' }, bundle) => {
      const files = new Set(Object.keys(bundle).filter((name) => name.startsWith('assets/color-scheme')))
      const add = (name: string) => {
        const chunk = bundle[name]
        if (files.has(name) || chunk?.type !== 'chunk') return
        for (const file of [name, ...(chunk.viteMetadata?.importedCss ?? [])]) files.add(file)
        chunk.imports.forEach(add)
      }
      for (const [name, chunk] of Object.entries(bundle))
        if (chunk.type === 'chunk' && KEPT.test(chunk.facadeModuleId ?? '')) add(name)
      const page = bundle['index.html']
      const revision = createHash('sha256')
        .update(page?.type === 'asset' ? page.source : '')
        .digest('hex')
      const kept = [...files].sort().map((file) => ({ url: `/${file}`, revision: null }))
      await buildWorker({
        input: 'web/src/offline/worker.ts',
        platform: 'browser',
        transform: {
          define: {
            FILES: JSON.stringify([{ url: OFFLINE_PAGE, revision }, ...kept]),
            'process.env.NODE_ENV': '"production"',
          },
        },
        output: { file: join(dir, 'worker.js'), format: 'iife', minify: true },
      })
    },
  },
})

const DIALOGS =
  /\/(Modal|ModalBase|Overlay|FocusTrap|Combobox|Popover|ScrollArea|Select|Autocomplete|Checkbox|CheckIcon|Menu|Switch|Radio|SegmentedControl|FloatingIndicator)(\/|\.css)|floating-ui|react-remove-scroll|use-focus-(trap|return)|sheet-dialog|dialog-styles|find-element-in-shadow-dom|\/pipeline\/(stage-menu|along|along-item|change-pipeline|prompts\/(prompts|pipeline-prompts))\.|\/fellows\/fellow-select\./

const PARTS =
  /\/pipeline\/words\.|\/use-debounced-value\/|\/create-scoped-keydown-handler\/|\/ComboboxChevron\/|\/get-parsed-combobox-data\/|\/get-auto-contrast-value\/|\/ui\/too-long\./

const CARDS =
  /\/records\/(card\/(?!card-skeleton|record-fields)|list\/(highlight|linked-text|split-at-links)|web-links)|\/ui\/lists\/clamped-text/

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/** The screens that load a module with their first script. */
const screensOf = (id: string, modules: Modules, seen = new Set<string>()): string[] => {
  seen.add(id)
  for (const importer of modules.getModuleInfo(id)?.importers ?? [])
    if (!seen.has(importer)) screensOf(importer, modules, seen)
  return [...seen].flatMap((id) => /\/web\/src\/pages\/(.*)-page\.tsx$/.exec(id)?.[1] ?? [])
}

/** Icons that would be files of a few bytes. */
const ICONS = /\/Icon(BellOff|ChevronLeft|ChevronRight|Pencil|Trash)\.mjs$/

/** Small parts of dialogs and cards, and styles of three screens or more. */
const partsFile = (id: string, modules: Modules) => {
  const isStyle = /\/web\/src\/(?!auth\/).*\.css$/.test(id) && !DIALOGS.test(id)
  return PARTS.test(id) || CARDS.test(id) || ICONS.test(id) || (isStyle && screensOf(id, modules).length > 2)
    ? 'parts'
    : null
}

const FIRST_SCREENS = ['dashboard', 'records', 'my-records']

/** What the record page shares with dialogs and later screens, and with My Records, where records change in place too. */
const recordFile = (id: string, modules: Modules) => {
  if (!/\/web\/src\/|\/contract\/pipeline-fields\./.test(id)) return null
  const screens = screensOf(id, modules)
  if (!screens.includes('records-record')) return null
  const first = FIRST_SCREENS.filter((screen) => screens.includes(screen)).join()
  return { '': 'record', 'my-records': 'edit' }[first] ?? null
}

export default defineConfig({
  root: 'web',
  resolve: {
    alias: [{ find: /^zod$/, replacement: fileURLToPath(new URL('web/src/lib/strict-zod.ts', import.meta.url)) }],
  },
  plugins: [react(), pageSettings(), colorScheme(), tools(), serviceWorker(), compressed()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // The content security policy admits files of our own address only, so nothing is inlined as data:.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // For the server, which names a screen's files in the page.
    manifest: true,
    // The first script holds React, the component library and the router; e2e/weight.journey.ts holds its size.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        // Without the names of all screens that share a file.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) => `assets/${name.split(/~|\.[^.]+$/)[0]}-[hash][extname]`,
        codeSplitting: {
          // Few files, as each costs a phone a request: the first script, and what most screens share.
          // Lists and the dashboard must not wait for schemas or the sign-in form.
          groups: [
            { name: 'first', tags: ['$initial'] },
            {
              name: 'shared',
              minShareCount: 14,
              test: (id) => !/\/(zod|contract|auth)\/|strict-zod/.test(id) && !DIALOGS.test(id),
            },
            // What dialogs share with screens that have none at first, and cards with other screens that show records.
            { name: partsFile, debugName: 'parts', minShareCount: 2 },
            // Dialogs, lists to choose from and panels that open later on many screens, and what opens them. Before the lists,
            // which would take their parts.
            { name: 'dialogs', minShareCount: 2, test: DIALOGS },
            // What lists and other screens share, split by who needs it. Drafts of forms need schemas.
            {
              name: (id, modules) => (recordFile(id, modules) ? null : 'lists'),
              debugName: 'lists',
              minShareCount: 3,
              entriesAware: true,
              entriesAwareMergeThreshold: 4000,
              test: (id) =>
                !/\/(zod|contract|auth)\/|strict-zod|note-(draft|box)|edit-(form|draft)|record-form|added-toasts|outbox/.test(
                  id,
                ) && !DIALOGS.test(id),
            },
            // Without what it imports, which lists need too.
            { name: recordFile, debugName: 'record', minShareCount: 2, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': 'http://127.0.0.1:3000' } },
})
