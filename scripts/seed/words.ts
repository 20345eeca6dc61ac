import type { Random } from './random.ts'

const CITIES = [
  ...[
    'San Francisco',
    'New York',
    'London',
    'Berlin',
    'Paris',
    'Lagos',
    'Nairobi',
    'Bengaluru',
    'Singapore',
    'São Paulo',
  ],
  ...[
    'Boston',
    'Tel Aviv',
    'Stockholm',
    'Toronto',
    'Austin',
    'Zürich',
    'Tokyo',
    'Seoul',
    'Shenzhen',
    'Jakarta',
    'Bogotá',
  ],
  ...['Kraków', 'Tallinn', 'Cairo', 'Accra', 'Mexico City', 'Melbourne', 'Hà Nội', 'Reykjavík', 'Tromsø', 'Ljubljana'],
]

/** A few cities are the most frequent. */
export const cityName = (random: Random): string => CITIES[random.zipf(CITIES.length)] as string

const ONSETS = [
  'b',
  'd',
  'f',
  'g',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'z',
  'br',
  'cl',
  'dr',
  'st',
  'tr',
  'qu',
]
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'io', 'ou', 'y']
const CODAS = ['', '', '', 'n', 'r', 'l', 'x', 's']
const SYLLABLES = ONSETS.flatMap((onset) => VOWELS.flatMap((vowel) => CODAS.map((coda) => onset + vowel + coda)))
const COINED = SYLLABLES.length ** 2

function coined(rank: number): string {
  // Multiplies by a number without a common factor, so that neighbours in rank do not sound alike.
  const number = (rank * 1_618_033 + 7_919) % COINED
  const name = `${SYLLABLES[number % SYLLABLES.length]}${SYLLABLES[Math.floor(number / SYLLABLES.length)]}`
  return name[0]?.toUpperCase() + name.slice(1)
}

/** An invented, pronounceable name. A few are frequent; in a million draws, many occur once. */
export const coinedName = (random: Random): string => coined(random.zipf(COINED))

/** A rare invented name. */
export const freshName = (random: Random): string => coined(random.below(COINED))

const FORMS = [
  ...[
    '',
    '',
    '',
    ' Labs',
    ' AI',
    ' Health',
    ' Bio',
    ' Robotics',
    ' Systems',
    ' Energy',
    ' & Co.',
    ' Pay',
    '.io',
    ' GmbH',
  ],
  ...[
    ' Technologies',
    ' Foods',
    ' Security',
    ' 3D',
    ' S.A.',
    ' Materials',
    ' Studio',
    ' Climate',
    ', Inc.',
    ' C++ Tools',
  ],
]
const HEADS = ['Tide', 'Quiet', 'Field', 'Ledger', 'North', 'Paper', 'Loom', 'Class', 'Harvest', 'Kelp', 'Sun', 'Iron']
const TAILS = ['water', 'grid', 'note', 'line', 'light', 'crane', 'stack', 'mate', 'signal', 'works', 'beam', 'wright']

const ABROAD: ((name: string) => string)[] = [
  (name) => `${name}科技有限公司`,
  (name) => `株式会社${name}`,
  (name) => `ООО «${name}»`,
  (name) => `شركة ${name}`,
  (name) => `(주)${name}`,
  (name) => `${name} Α.Ε.`,
  (name) => `${name} प्राइवेट लिमिटेड`,
  (name) => `${name} בע״מ`,
  (name) => `บริษัท ${name} จำกัด`,
  (name) => `Công ty ${name}`,
]
const NATIVE = [
  ...[
    '星河智能',
    '云杉网络',
    '青禾农业',
    '深蓝机器人',
    '青空電機',
    'みどり農園',
    '月光製作所',
    '한빛소프트',
    '새벽배송',
  ],
  ...[
    'Северное сияние',
    'Тихий океан',
    'Світанок',
    'Ηλιοτρόπιο',
    'نور للتقنية',
    'واحة الرعاية',
    'קרן אור',
    'सूर्योदय',
    'รุ่งอรุณ',
  ],
]

/** The name of the company behind a product of this name. */
export function companyName(product: string, random: Random): string {
  const kind = random.next()
  if (kind < 0.75) return product + random.one(FORMS)
  if (kind < 0.85) return `${random.one(HEADS)}${random.one(TAILS)} ${product}`
  if (kind < 0.95) return random.one(ABROAD)(product)
  return `${random.one(NATIVE)} ${random.between(1, 99)}`
}
