import { spawnSync } from 'node:child_process'
import { readAudit } from './advisory-report.ts'

// npm exits with 1 both when it found something and when the registry was unreachable. Its output differs.
const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', shell: process.platform === 'win32' })
const { isBad, lines } = readAudit(stdout)
for (const line of lines) console.log(line)
process.exitCode = isBad ? 1 : 0
