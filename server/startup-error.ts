/** An error that prevents the start, as a sentence for the operator. */
export class StartupError extends Error {}
