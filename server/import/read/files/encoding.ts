import type { CsvDialect } from '#contract/import-file.ts'

type Encoding = CsvDialect['encoding']

// Guesses the encoding of a text that is not Unicode, by how natural it looks in each one.

/** Letters from the most frequent to the least; those of the other languages count against an encoding. */
type Letters = [string, string, string]

const WESTERN: Letters = ['éäöüßñóíáçãÉÖÜÄÅØ', 'èàêåøæâôõúîï', 'ëûœòÀÂÊÈÇÑÓÍÁÚÎÔŒÆÕÃìùý']
const CENTRAL: Letters = ['éöóáíłśżążšžěőŁŚŻŠŽČ', 'ęćčřńźůýňűăşţđüäúŘŹĆĐŐÖÁÉ', 'ßçôâîëďťľÝĚÍÓÚÜÄŮŇŰĂÂÎŞŢĄĘŃĎŤĽĺŕ']
const CYRILLIC: Letters = [
  'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґ',
  'ОЕАИНТСРВЛКМДПУЯЫЬГЗБЧЙХЖШЮЦЩЭФЪЁІЇЄҐ',
  'ўјљњћќџђўѕ',
]

/** Earlier ones win where two look alike. */
const SINGLE: [Encoding, Letters][] = [
  ['windows-1252', WESTERN],
  ['windows-1250', CENTRAL],
  ['windows-1251', CYRILLIC],
  ['macintosh', WESTERN],
]

const NATURAL_SYMBOLS = new Set('’‘“”„–—…€£§°«»©®™•·´¿¡º№\u00a0')
/** Symbols that also stand between two letters. */
const INSIDE_WORDS = new Set('’·–—\u00a0')
const UNKNOWN = -10

/** The most natural encoding, and whether it is clearly so. */
export function guessLegacyEncoding(sample: Buffer): { encoding: Encoding; isCertain: boolean } {
  const decode = (encoding: Encoding) => new TextDecoder(encoding).decode(sample, { stream: true })
  const guesses = [
    ...SINGLE.map(([encoding, letters]) => ({ encoding, score: scoreLetters(decode(encoding), letters) })),
    { encoding: 'shift_jis' as const, score: scoreIdeographs(decode('shift_jis'), japanese) },
    { encoding: 'gb18030' as const, score: scoreIdeographs(decode('gb18030'), chinese) },
  ].sort((a, b) => b.score - a.score)
  const [best, ...others] = guesses as [(typeof guesses)[number], ...typeof guesses]
  const text = decode(best.encoding)
  const next = others.find(({ encoding }) => decode(encoding) !== text)
  return { encoding: best.encoding, isCertain: best.score > 0 && best.score > 1.3 * (next?.score ?? 0) }
}

const isLetter = (character: string | undefined) => character !== undefined && /\p{L}/u.test(character)
const isLatin = (character: string | undefined) => character !== undefined && /[a-z]/i.test(character)

function scoreLetters(text: string, letters: Letters): number {
  const weights = new Map(letters.flatMap((some, at) => Array.from(some, (letter) => [letter, 3 - at] as const)))
  const isCyrillic = letters === CYRILLIC
  let score = 0
  for (const { 0: character, index } of text.matchAll(/[^\0-\x7f]/gu)) {
    const [before, after] = [text[index - 1], text[index + 1]]
    if (/[\p{Cc}\ufffd]/u.test(character)) score += UNKNOWN
    else if (isLetter(character)) {
      score += weights.get(character) ?? -2
      if (/\p{Lu}/u.test(character) && before !== undefined && /\p{Ll}/u.test(before)) score -= 4
      if (isCyrillic) score -= isLatin(before) || isLatin(after) ? 4 : 0
      else if (!isLetter(before) && !isLetter(after)) score -= 2
      else if (letters === WESTERN && before !== undefined && before > '\x7f' && isLetter(before)) score -= 2
    } else if (!NATURAL_SYMBOLS.has(character)) score -= 3
    else score += isLetter(before) && isLetter(after) && !INSIDE_WORDS.has(character) ? -3 : 2
  }
  return score
}

/** The first level of a national standard has the frequent characters. */
const levelOne = (encoding: Encoding, from: number, to: number, first: number, last: number) => {
  const bytes: number[] = []
  for (let lead = from; lead <= to; lead++) for (let trail = first; trail <= last; trail++) bytes.push(lead, trail)
  return new Set(new TextDecoder(encoding).decode(Buffer.from(bytes), { stream: true }))
}

const kanji = levelOne('shift_jis', 0x89, 0x97, 0x80, 0xfc)
const hanzi = levelOne('gb18030', 0xb0, 0xd7, 0xa1, 0xfe)

function japanese(character: string): number {
  if (/[\u3041-\u3096\u30a1-\u30fc]/.test(character)) return 3
  if (/[\u3000-\u3002\u300c-\u300f\uff01-\uff5e]/.test(character)) return 2
  return kanji.has(character) ? 2 : -1
}

function chinese(character: string): number {
  if (/[\u3000-\u3002\u2018-\u201d\u300a\u300b\uff01-\uff5e]/.test(character)) return 2
  return hanzi.has(character) ? 3 : -1
}

/** Each character has two bytes, and counts as two of the others. Between Latin letters it is most likely an accent. */
function scoreIdeographs(text: string, weight: (character: string) => number): number {
  let score = 0
  for (const { 0: character, index } of text.matchAll(/[^\0-\x7f]/gu)) {
    if (/[\p{Cc}\p{Co}\ufffd]/u.test(character)) score += UNKNOWN
    else if (/[\uff61-\uff9f]/.test(character)) score -= 2
    else {
      const [before, after] = [text[index - 1] ?? ' ', text[index + character.length] ?? ' ']
      const isAlone = before <= '\x7f' && after <= '\x7f' && (isLatin(before) || isLatin(after))
      score += 2 * (isAlone ? -3 : weight(character))
    }
  }
  return score
}
