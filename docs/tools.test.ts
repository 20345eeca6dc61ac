import { readFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { signedRing } from '#server/webhooks/ring.ts'

/** What the blocks of JavaScript export. Packages are those of the product. */
async function blocks(): Promise<Record<string, (...given: unknown[]) => unknown>> {
  const codes = [...readFileSync('docs/tools.md', 'utf8').matchAll(/^```js\n(.*?)^```/gms)].map(([, code = '']) => code)
  const found = await Promise.all(
    codes.map((code) => {
      const plain = code.replaceAll(/^import .*$/gm, '').replaceAll('export ', '')
      const [, name = ''] = /(?:function|const) (\w+)/.exec(plain) ?? []
      return { [name]: new Function('Webhook', `${plain}\nreturn ${name}`)(Webhook) }
    }),
  )
  return Object.assign({}, ...found)
}

describe('The lines of docs/tools.md', () => {
  it('read the feed to its end, also over pages without entries, and start over', async () => {
    const { readFeed } = await blocks()
    const pages: Record<string, [string[], string]> = {
      '': [['a', 'b'], '1'],
      '?cursor=1': [[], '2'],
      '?cursor=2': [['c'], '3'],
      '?cursor=3': [[], '3'],
    }
    const get = async (path: string) => {
      const page = pages[path.slice('/api/feed'.length)]
      return page ? { status: 200, body: { entries: page[0], next: page[1] } } : { status: 410, body: {} }
    }
    for (const cursor of [undefined, 'of-before-a-restore']) {
      const handled: unknown[] = []
      expect(await readFeed?.(get, cursor, (entry: unknown) => handled.push(entry))).toBe('3')
      expect(handled).toEqual(['a', 'b', 'c'])
    }
  })

  it('verify a ring, and refuse one that is not signed', async () => {
    const { verifyRing } = await blocks()
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    const { body, headers } = signedRing({ id: 'x', address: '', secret }, 'cursor', new Date())
    expect(verifyRing?.(secret, headers, body)).toMatchObject({ type: 'feed.changed', data: { cursor: 'cursor' } })
    expect(() => verifyRing?.(secret, headers, `${body} `)).toThrow()
  })
})
