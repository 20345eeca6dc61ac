// Fails on words that make comments, documentation and texts hard to read: name the person and the action instead.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { say } from './run.mjs'

/** `nobody:` is the user of that name in /etc/passwd. */
const AVOIDED = /\b(nobody(?!:)|somebody|whoever|anew)\b/gi

/** Files with invented speech, records of the past, and this list. */
const EXEMPT =
  /^(server\/db\/migrations\/|scripts\/words\.mjs$|scripts\/seed\/(sentences|small-world)\.ts$|package-lock\.json$)|\/fixtures\//

const READ = /\.(ts|tsx|mjs|js|css|html|md|sql|json|conf|service)$|\/Caddyfile$|^Dockerfile$|^\.ci\//

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => READ.test(file) && !EXEMPT.test(file) && existsSync(file))

const found = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => [...line.matchAll(AVOIDED)].map(([word]) => `${file}:${index + 1}: ${word}`)),
)
if (found.length > 0) {
  say(`These words are hard to read. Name the person, or say what happens:\n${found.join('\n')}`)
  process.exitCode = 1
}
