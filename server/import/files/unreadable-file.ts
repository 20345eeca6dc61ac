/** A file that cannot be imported at all. Its message is for the person who uploaded it. */
export class UnreadableFile extends Error {}
