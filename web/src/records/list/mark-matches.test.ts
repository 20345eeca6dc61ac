import { describe, expect, it } from 'vitest'
import { markMatches } from './mark-matches.ts'

const marked = (text: string, search: string) =>
  markMatches(text, search)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('')

describe('A mark of what a search matches', () => {
  it.each([
    ['Anna Weiß, Graz', 'weiss', 'Anna [Weiß], Graz'],
    ['Anna Weiß, Graz', 'graz', 'Anna Weiß, [Graz]'],
    ['Weißß', 'ss', 'Wei[ß][ß]'],
    ['Weißling', 's', 'Wei[ß]ling'],
    ['Weiss', 'weiß', '[Weiss]'],
    ['Lærke ÆSOP', 'aeso', 'Lærke [ÆSO]P'],
    ['Sinead O’Connor', "o'connor", 'Sinead [O’Connor]'],
    ['Sinead O´Connor', "o'con", 'Sinead [O´Con]nor'],
    ['Jean‑Luc and Jean-Luc', 'jean-luc', '[Jean‑Luc] and [Jean-Luc]'],
    ['a “quoted” word', '"quoted"', 'a [“quoted”] word'],
    ['co\u00adop\u200berate, now', 'operate', 'co\u00ad[op\u200berate], now'],
    ['co\u00adop\u200berate, now', 'now', 'co\u00adop\u200berate, [now]'],
    ['Jose\u0301 Marti\u0301', 'josé', '[Jose\u0301] Marti\u0301'],
    ['Jose\u0301 Marti\u0301', 'martí', 'Jose\u0301 [Marti\u0301]'],
    ['ΣΊΣΥΦΟΣ ΟΔΟΣ', 'οδος', 'ΣΊΣΥΦΟΣ [ΟΔΟΣ]'],
    ['\u1100\u1161\u11a8 홍', '각', '[\u1100\u1161\u11a8] 홍'],
    ['ﬁne ﬁsh', 'fish', 'ﬁne [ﬁsh]'],
    ['🚀 Ｆｕｌｌ', 'full', '🚀 [Ｆｕｌｌ]'],
    ['nothing', 'some', 'nothing'],
    ['nothing', '\u00ad', 'nothing'],
  ])('in %j for %j covers the text that folds to it', (text, search, expected) => {
    expect(marked(text, search)).toBe(expected)
    expect(marked(text, search).replaceAll(/[[\]]/g, '')).toBe(text)
  })
})
