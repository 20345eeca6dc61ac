// What the page and its service worker agree on.

/** The lock that every tab with an open form shares. */
export const OPEN_FORM = 'open form'

/** Asks a waiting version of the worker to take over if no tab has an open form. */
export const REPLACE = 'replace'
