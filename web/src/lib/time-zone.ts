const UNKNOWN = 'Etc/Unknown'

/** The viewer's time zone, for calls that speak of days. A browser that does not know it counts in UTC itself. */
export const timeZone = (zone = Intl.DateTimeFormat().resolvedOptions().timeZone) => (zone === UNKNOWN ? 'UTC' : zone)
