// Measures the product. `npm run bench -- --small` takes a minute and shows that every benchmark still runs.
import { findChromium } from './chromium.mjs'
import { prepare } from './prepare.mjs'
import { node, run } from './run.mjs'

await prepare()
const env = { CHROMIUM_PATH: await findChromium() }
process.exitCode = await run([...node(), 'bench/main.ts', ...process.argv.slice(2)], { env })
