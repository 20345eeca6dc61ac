/** An hour of the day, as *8:00*. */
export const hourWords = (hour: number): string => `${hour}:00`
