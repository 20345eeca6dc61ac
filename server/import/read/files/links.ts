import { fileFieldsOf } from '#contract/export.ts'
import { kinds } from '#contract/kinds.ts'
import { guessMapping, isKnownColumn } from '#server/import/read/columns/mapping.ts'
import { tooMuchText } from './unreadable-file.ts'
import { type Attributes, readXml } from './xml.ts'
import type { Archive } from './zip.ts'

// The addresses behind the texts of cells.

/** A sheet has at most 65,530 links. */
const LINKS_MAX = 65_536
/** No field takes a longer address. */
const ADDRESS_LENGTH_MAX = 2_048
const LENGTH_MAX = 50_000_000

/** The addresses behind the cells of a sheet, by the cell. */
export async function readLinks(archive: Archive, path: string): Promise<Map<string, string>> {
  const links = new Map<string, string>()
  const targets = await readTargets(archive, path)
  if (targets.size === 0) return links
  const open = (tag: string, attributes: Attributes) => {
    if (tag !== 'hyperlink' || links.size >= LINKS_MAX) return
    const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1] ?? ''
    const target = targets.get(id)
    // The first cell of a range, which is the one with the text of merged cells.
    const cell = attributes.ref?.split(':', 1)[0]
    if (target !== undefined && cell) links.set(cell, target + (attributes.location ? `#${attributes.location}` : ''))
  }
  for await (const _ of readXml(fromLinksOn(archive.readText(path)), { open }));
  return links
}

/** The addresses that a sheet refers to, by the id of the relation. */
async function readTargets(archive: Archive, path: string): Promise<Map<string, string>> {
  const targets = new Map<string, string>()
  let length = 0
  const open = (tag: string, { Id, Type, Target }: Attributes) => {
    if (tag !== 'Relationship' || !Id || !Target || !Type?.endsWith('/hyperlink')) return
    if (targets.size >= LINKS_MAX || Target.length > ADDRESS_LENGTH_MAX || !/^https?:\/\//i.test(Target)) return
    length += Target.length
    if (length > LENGTH_MAX) throw tooMuchText()
    targets.set(Id, Target)
  }
  for await (const _ of readXml(archive.readText(path.replace(/([^/]+)$/, '_rels/$1.rels')), { open }));
  return targets
}

const LONGEST_TAG = 100

/** The end of a sheet, where its links are. Looking for it is much quicker than reading the cells before it. */
async function* fromLinksOn(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let before = ''
  let isFound = false
  for await (const piece of pieces) {
    if (isFound) yield piece
    else {
      const text = before + piece
      const at = text.search(/<(?:\w{1,50}:)?hyperlinks[\s>]/)
      isFound = at >= 0
      if (isFound) yield text.slice(at)
      before = text.slice(-LONGEST_TAG)
    }
  }
}

/** The address of a cell with the formula `=HYPERLINK("https://…", "Website")`. */
export function linkOfFormula(formula: string): string | undefined {
  const [, address] = /^\s*HYPERLINK\(\s*"([^"]{1,2048})"/i.exec(formula) ?? []
  return address !== undefined && /^https?:\/\//i.test(address) ? address : undefined
}

/** Whether a text is an address itself. */
export const isAddress = (text: string) => /^\S+$/.test(text) && /[^.]\.[^\W\d]{2}/.test(text)

/** Columns of names, notes and the like keep the text of their cells. */
export const keepsText = (column: string) =>
  isKnownColumn(column) &&
  !kinds.some((kind) => {
    const mapping = guessMapping(kind.name, [column])
    const addresses = fileFieldsOf[kind.name].filter(({ isColumn, content }) => isColumn && content === 'address')
    return addresses.some(({ name }) => mapping[name] !== undefined)
  })

/** Whether a text stands for the address behind it, such as *Website*, where no header says what its column holds. */
export const standsForAddress = (text: string) =>
  /^(?:link|profile|here|view|open)$/i.test(text) || (isKnownColumn(text) && !keepsText(text))
