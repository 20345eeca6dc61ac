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

const GROUP_AT_LEAST = 92

/**
 * The width of the plot. Where the groups do not fit, the edge cuts one of them in half, which shows that there are
 * more to scroll to.
 */
export function plotWidth(width: number, groups: number): number {
  if (groups * GROUP_AT_LEAST <= width) return width
  const whole = Math.max(1, Math.floor(width / GROUP_AT_LEAST - 0.5))
  return Math.max(width, (width / (whole + 0.5)) * groups)
}
