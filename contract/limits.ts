// Every limit on records and notes. Without a schema, so that a list is drawn before the page has what schemas need.

export const NAME_MAX = 200
export const URL_MAX = 2048
export const NOTES_MAX = 10_000
export const DESCRIPTION_MAX = 10_000
export const SEARCH_MAX = 200
export const RATING_MIN = 1
export const RATING_MAX = 10
export const RATING_DEFAULT = 5

export const NOTE_MAX = 1000
/** How many fellow notes a card shows. */
export const NOTES_PREVIEWED = 2
/** How many of one's own notes are answered, the newest. */
export const MY_NOTES_MAX = 500

export const PAGE_DEFAULT = 200
export const PAGE_MAX = 500
/** How many of the newest records of a kind the dashboard shows. */
export const RECENT_COUNT = 5

/** The sizes in which pictures are shown, in pixels: 56 at one, two and three pixels of the screen each. */
export const PICTURE_SIZES = [56, 112, 168] as const
