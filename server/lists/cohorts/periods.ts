// A quarter (`2026-Q3`) or a month (`2026-07`), in UTC.

const PERIOD = /^(?:000[1-9]|00[1-9]\d|0[1-9]\d\d|[1-9]\d{3})-(?:Q[1-4]|0[1-9]|1[0-2])$/

export const isPeriod = (text: string): boolean => PERIOD.test(text)

/** Its first moment, and the first one after it. */
export function spanOf(period: string): [from: Date, until: Date] {
  const [year = '', part = ''] = period.split('-')
  const isQuarter = part.startsWith('Q')
  const month = isQuarter ? (Number(part.slice(1)) - 1) * 3 : Number(part) - 1
  const start = (months: number) => {
    const date = new Date(0)
    date.setUTCFullYear(Number(year), months, 1)
    return date
  }
  return [start(month), start(month + (isQuarter ? 3 : 1))]
}

export type PeriodLength = 'quarter' | 'month'

/** The period of a moment. */
export function periodOf(at: Date, length: PeriodLength): string {
  const month = at.getUTCMonth()
  const part = length === 'quarter' ? `Q${Math.floor(month / 3) + 1}` : String(month + 1).padStart(2, '0')
  return `${String(at.getUTCFullYear()).padStart(4, '0')}-${part}`
}
