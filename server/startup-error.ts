/** What keeps the server from starting, in a sentence for the operator. */
export class StartupError extends Error {}
