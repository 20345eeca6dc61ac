// Every limit on records and notes. This file has no schemas, so that a list renders before the page has loaded zod.

export const NAME_MAX = 200
export const URL_MAX = 2048
export const NOTES_MAX = 10_000
export const DESCRIPTION_MAX = 10_000
/** A title, a company, an industry or a place. */
export const FACT_MAX = 200
export const EMAIL_MAX = 320
export const SEARCH_MAX = 200
/** The number of records that also mention a searched term, or have a similar name. */
export const FURTHER_MAX = 50
/** The number of values that are suggested for a filter. */
export const SUGGESTED_MAX = 10
/** Similar names are shown where a search finds fewer records than this. */
export const FEW_FOUND = 3
export const EXCERPT_MAX = 160
export const RATING_MIN = 1
export const RATING_MAX = 10
export const RATING_DEFAULT = 5

export const NOTE_MAX = 1000
/** The number of times that a note names a fellow. */
export const MENTIONS_MAX = 10
/** The number of people that a fellow names or asks in 24 hours. */
export const NAMED_MAX = 100
/** The number of fellow notes on a card. */
export const NOTES_PREVIEWED = 2
/** The number of one's own notes that are returned, newest first. */
export const MY_NOTES_MAX = 500

export const PAGE_DEFAULT = 200
export const PAGE_MAX = 500
/** The number of recent records of a kind on the dashboard. */
export const RECENT_COUNT = 5
/** The highest number beside an entry of the navigation, and of founders to inform. */
export const NAV_COUNT_MAX = 100
/** The highest count of records of a kind added in the last seven days. */
export const WEEK_COUNT_MAX = 200

/** The sizes of pictures in pixels: 56 CSS pixels at a device pixel ratio of one, two and three. */
export const PICTURE_SIZES = [56, 112, 168] as const

/** The role of a founder at a company. */
export const ROLE_MAX = 100

/** The comment of a second opinion. */
export const OPINION_COMMENT_MAX = 280
/** The highest number of *Since you were last here*. */
export const SINCE_COUNT_MAX = 100

/** The name of a saved search, and what is sought. */
export const SEARCH_NAME_MAX = 60
export const SEARCH_ABOUT_MAX = 280
/** The number of saved searches of a fellow, of those that are shared, and of those that a fellow watches. */
export const SEARCHES_MAX = 30
export const SHARED_SEARCHES_MAX = 10
export const WATCHED_SEARCHES_MAX = 20
/** The number of records that were last added or changed, among which a watched search looks for new and changed ones. */
export const LOOKED_AT_MAX = 1_000

/** A chat that gets what is sent by itself: its name, and how many there are. */
export const CHANNEL_NAME_MAX = 60
export const CHANNELS_MAX = 10
/** An address that is rung when there is something new in the feed: how many there are, and tests of all of them in an hour. */
export const WEBHOOKS_MAX = 5
export const WEBHOOK_TESTS_MAX = 10
/** How often managers may send a test in an hour, over all channels. */
export const CHANNEL_TESTS_MAX = 10

/** The name of an access token, and how many a fellow has that have not ended. */
export const TOKEN_NAME_MAX = 60
export const TOKENS_MAX = 20
/** The calls of a token in a minute, and the records that tokens without `export` read for a fellow in 24 hours. */
export const TOKEN_CALLS_MAX = 300
export const TOKEN_READS_MAX = 5_000

/** The number of stages that are not archived. */
export const STAGES_MAX = 20
export const STAGE_NAME_MAX = 60
/** The limit of days in a stage. */
export const STAGE_DAYS_MAX = 3650
/** The number of reasons for passing, without removed ones. */
export const PASSING_REASONS_MAX = 8
export const PASSING_REASON_MAX = 60
/** What a fellow adds to the reason. */
export const PASSING_TEXT_MAX = 500
export const NEXT_STEP_MAX = 200
/** The number of records in a column of the board. */
export const BOARD_COLUMN = 50

/** With fewer records than this, a figure is too few. */
export const TOO_FEW = 5
/** A record without a note of a fellow after this many days lacks one. */
export const UNNOTED_DAYS = 14
/** The ratings at creation that calibration follows. */
export const HIGH_RATING = 8
