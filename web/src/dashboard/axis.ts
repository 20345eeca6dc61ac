const INTERVALS_AT_MOST = 5
/** The smallest maximum, so that the bar of a single record does not fill the chart. */
const TOP_AT_LEAST = 5

/** From 0 to the first round number that is not below `max`, at equal distances: whole numbers only. */
export const integerTicks = (max: number) => {
  const top = Math.max(max, TOP_AT_LEAST)
  const step = roundSteps().find((step) => top <= step * INTERVALS_AT_MOST) ?? top
  const intervals = Math.ceil(top / step)
  return Array.from({ length: intervals + 1 }, (_, interval) => interval * step)
}

/** 1, 2, 5, 10, 20, 50 and so on. */
const roundSteps = () => Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat()
