import about from '../package.json' with { type: 'json' }

/** The version of this Sourcebook. */
export const VERSION = about.version
