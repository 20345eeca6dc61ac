const INTERVALS_AT_MOST = 5

/** From 0 to the first round number that is not below `max`: whole numbers, evenly apart. */
export const integerTicks = (max: number) => {
  const step = roundSteps().find((step) => max <= step * INTERVALS_AT_MOST) ?? max
  const intervals = Math.max(1, Math.ceil(max / step))
  return Array.from({ length: intervals + 1 }, (_, interval) => interval * step)
}

/** 1, 2, 5, 10, 20, 50 and so on. */
const roundSteps = () => Array.from({ length: 9 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat()
