import about from '../package.json' with { type: 'json' }

/** Which Sourcebook this is. */
export const VERSION = about.version
