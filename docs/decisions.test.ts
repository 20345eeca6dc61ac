import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, it } from 'vitest'

const PARTS = ['Decision', 'Why', 'Numbers', 'Considered']

it.each(globSync('docs/decisions/*.md'))(
  '%s has its number in its title, and the parts of a decision in order',
  (path) => {
    const text = readFileSync(path, 'utf8')
    const [number] = basename(path).split('-')
    const parts = [...text.matchAll(/^## (.*)$/gm)].map(([, part = '']) => part)
    expect(text).toMatch(new RegExp(`^# ${Number(number)}\\. .+\\n\\n## Decision\\n`))
    expect(parts).toEqual(PARTS.filter((part) => parts.includes(part)))
  },
)
