/**
 * What begins text that spreadsheets run as a formula, as a part of a regular expression. Some take the full-width
 * signs too. The export writes an apostrophe before such text, and before one that text begins with. The import takes
 * exactly that off again.
 */
export const FORMULA_START = '[=+\\-@＝＋－＠\\t\\r]'
