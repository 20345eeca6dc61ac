/** Acts on opinions. Their entries have no values. Who has given one is for readers of the opinions only. */
export const OPINION_ACTS = {
  give: 'give-opinion',
  change: 'change-opinion',
  delete: 'delete-opinion',
  reveal: 'reveal-opinions',
} as const

/** The acts that name the author of an opinion. */
export const ACTS_OF_AUTHORS: readonly string[] = [OPINION_ACTS.give, OPINION_ACTS.change, OPINION_ACTS.delete]
