const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

/** A day in the viewer's own zone and order, such as 3 Mar 2026. */
export const formatDay = (iso: string) => day.format(new Date(iso))
