// What a link to a page of ours may fill in: values behind the # of its address, which reach no server.

/** What a record gets once a link has added it: a tag by its name, and a next step with its day. */
export const afterAdding = ['tag', 'step', 'on'] as const

/** What a link to the page of a record proposes beside corrections of its fields. */
export const proposed = ['note', 'stage', ...afterAdding] as const

/** The addresses on a page of proposals. */
export const PROPOSALS_MAX = 20
