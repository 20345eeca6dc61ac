/** The address at which the server sends the page without the files of a screen. A service worker keeps it. */
export const OFFLINE_PAGE = '/offline'
