import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fail, node, run, say } from './run.mjs'

/** Opens no window, which saves half the processor time of a full browser. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell']
const BROWSERS = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser']

/** The value of `CHROMIUM_PATH` for the browser that Playwright downloaded, whose path only Playwright knows. */
const PLAYWRIGHTS = ''

/**
 * The path of a Chrome or Chromium for the journeys: the one of CHROMIUM_PATH, else an installed one, preferably a
 * headless shell, else one that is installed now. Ends the command with a sentence when none is available.
 * @returns {Promise<string>}
 */
export async function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named) return existsSync(named) ? named : fail(`CHROMIUM_PATH names ${named}, which does not exist.`)
  return installed() ?? (await playwrights()) ?? (await fromDebian()) ?? (await fromPlaywright()) ?? none()
}

function installed() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const inPath = (names) => folders.flatMap((folder) => names.map((name) => join(folder, name)))
  const { ProgramFiles = '', 'ProgramFiles(x86)': programFilesX86 = '', LOCALAPPDATA = '' } = process.env
  return [
    ...inPath(SHELLS),
    ...inPath(BROWSERS),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...[ProgramFiles, programFilesX86, LOCALAPPDATA].map((folder) =>
      join(folder, 'Google/Chrome/Application/chrome.exe'),
    ),
  ].find(starts)
}

/** Ubuntu has a `chromium-browser` that only tells people to install another package. */
function starts(path) {
  if (!existsSync(path)) return false
  return process.platform === 'win32' || spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0
}

async function fromDebian() {
  const isDebian = existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'))
  if (!isDebian || process.getuid?.() !== 0) return undefined
  say('Installing Chromium with apt-get…')
  const options = { quiet: true, env: { DEBIAN_FRONTEND: 'noninteractive' } }
  const failed =
    (await run(['apt-get', 'update', '-qq'], options)) ||
    (await run(['apt-get', 'install', '-y', '-qq', 'chromium-headless-shell'], options))
  return failed ? undefined : installed()
}

async function fromPlaywright() {
  say("Downloading Playwright's Chromium…")
  const libraries = process.platform === 'linux' && process.getuid?.() === 0 ? ['--with-deps'] : []
  const command = ['install', ...libraries, '--only-shell', 'chromium']
  await run([...node(), 'node_modules/@playwright/test/cli.js', ...command], { quiet: true })
  return playwrights()
}

async function playwrights() {
  const { chromium } = await import('@playwright/test')
  try {
    await (await chromium.launch({ args: ['--no-sandbox'] })).close()
    return PLAYWRIGHTS
  } catch {
    return undefined
  }
}

function none() {
  return fail('The journeys need a Chrome or Chromium: install one, or name it in CHROMIUM_PATH.')
}
