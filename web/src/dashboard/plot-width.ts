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
