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

/** Modules by their names, and the file that they share: each file costs a phone a request. The first that fits counts. */
const FILES = {
  // What every screen loads when it is idle, the box and the dialog of notes, and the forms of the record page.
  later:
    /\/web\/src\/(app\/palette\/(?!use-palette\.)|inbox\/bell-news|offline\/register|pipeline\/(prompts\/(dialogs|\w+-dialogs?)|look-again-choices)\.|searches\/(views|open-view|search-dialog|saved-query)\.|ui\/keys\/use-key-sequence\.)|\/Icon(Bolt|Keyboard|SunMoon)\.mjs/,
  notes: /\/web\/src\/notes\/(note-box|notes-dialog|use-naming)|\/contract\/(note|fellow|tags)\.ts/,
  forms: /\/web\/src\/(opinions\/opinion-form|links\/link-form|record-page\/facts\/fields-dialog|tags\/tag-input)/,
  // Dialogs, lists to choose from and panels that open later on many screens, and what opens them.
  dialogs:
    /\/(Modal|ModalBase|Overlay|FocusTrap|Combobox|Popover|ScrollArea|Select|Autocomplete|Checkbox|CheckIcon|Menu|Switch|Radio|SegmentedControl|FloatingIndicator|Textarea)(\/|\.css)|floating-ui|react-remove-scroll|use-focus-(trap|return)|sheet-dialog|dialog-styles|\/dialogs\/(modal|use-after-mount)\.|rating-input|draft-restored-hint|find-element-in-shadow-dom|\/pipeline\/(stage-menu|along|along-item|change-pipeline|prompts\/(prompts|pipeline-prompts))\.|\/fellows\/fellow-select\./,
  // What dialogs share with screens that have none at first, and cards with other screens that show records.
  parts:
    /\/pipeline\/words\.|\/use-(debounced-value|clipboard)\/|\/create-scoped-keydown-handler\/|\/(ComboboxChevron|NativeSelect)\/|\/get-parsed-combobox-data\/|\/get-auto-contrast-value\/|\/ui\/(too-long|keys\/cancel-form)\.|\/session\/use-draft\.|\/offline\/(open-form|names)\.|\/inbox\/count-words\.|\/searches\/(had-views|save-button)\.|\/contract\/(inbox-kinds|search-news)\.|\/records\/(card\/(?!card-skeleton|record-fields)|list\/(highlight|linked-text|split-at-links)|web-links)|\/ui\/lists\/clamped-text|\/(edit-form|views-row|filter-chips)\.module\.css|\/Icon(ArrowMerge|BellOff|Bookmark|ChartBar|ChevronDown|ChevronLeft|ChevronRight|Copy|History|Pencil|Trash|X)\.mjs$/,
  schemas: /\/zod\/|strict-zod|\/contract\/text\./,
}

type File = keyof typeof FILES | 'edit' | 'record'
type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>

/** The screens that load a module with their first script. */
const screensOf = (id: string, modules: Modules, seen = new Set<string>()): string[] => {
  seen.add(id)
  for (const importer of modules.getModuleInfo(id)?.importers ?? [])
    if (!seen.has(importer)) screensOf(importer, modules, seen)
  return [...seen].flatMap((id) => /\/web\/src\/pages\/(.*)-page\.tsx$/.exec(id)?.[1] ?? [])
}

const FIRST_SCREENS = ['dashboard', 'records', 'my-records']

/**
 * The file of a module that several screens share. Ours that have no name above go by the screens that load them: what the
 * record page shares with My Records, where records change in place too, is `edit`, and what it shares with later screens
 * `record`.
 */
const fileOf = (id: string, modules: Modules): File | undefined => {
  const named = (Object.keys(FILES) as (keyof typeof FILES)[]).find((file) => FILES[file].test(id))
  if (named || !/\/web\/src\/|\/contract\/pipeline-fields\./.test(id)) return named
  const screens = screensOf(id, modules)
  const first = FIRST_SCREENS.filter((screen) => screens.includes(screen))
  const isStyle = /\/web\/src\/(?!auth\/).*\.css$/.test(id)
  if (first.length === FIRST_SCREENS.length || (isStyle && screens.length > 2)) return 'parts'
  if (!screens.includes('records-record') || screens.includes('auth')) return undefined
  if (first.length === 0) return 'record'
  return first.join() === 'my-records' ? 'edit' : 'parts'
}

const sharing = (file: File, minShareCount = 2) => ({
  name: (id: string, modules: Modules) => (fileOf(id, modules) === file ? file : null),
  debugName: file,
  minShareCount,
})

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
              test: (id) => !/\/(zod|contract|auth)\/|strict-zod/.test(id) && !FILES.dialogs.test(id),
            },
            sharing('parts'),
            // Without what they import, which other screens need too.
            ...(['later', 'notes', 'forms'] as const).map((file) => ({
              ...sharing(file, 1),
              includeDependenciesRecursively: false,
            })),
            sharing('schemas'),
            sharing('dialogs'),
            { name: 'form', minShareCount: 2, test: /\/@mantine\/form\// },
            sharing('edit'),
            { ...sharing('record'), includeDependenciesRecursively: false },
            // What lists and other screens share, split by who needs it. Drafts of forms need schemas.
            {
              name: 'lists',
              minShareCount: 3,
              entriesAware: true,
              entriesAwareMergeThreshold: 4000,
              test: (id) =>
                !/\/(zod|contract|auth)\/|strict-zod|note-(draft|box)|edit-(form|draft)|record-form|added-toasts|outbox/.test(
                  id,
                ) && !FILES.dialogs.test(id),
            },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': 'http://127.0.0.1:3000' } },
})
