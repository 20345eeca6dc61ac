/** A file that cannot be imported at all. Its message is for the person who uploaded it. */
export class UnreadableFile extends Error {}

/** For a file that no program has saved so, or that needs too much memory or time. */
export const notReadable = () => new UnreadableFile('This file could not be read')

export const tooMuchText = () =>
  new UnreadableFile('This workbook has too much text to be read in one piece. Save this sheet as CSV.')
