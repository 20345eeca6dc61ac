// Blindness: until the caller has given an opinion, or a manager has revealed all, the server gives only their number.
// Managers are no exception.

/** What blindness depends on. */
export type Sight = { hasGiven: boolean; isRevealed: boolean }

export const canReadOpinions = ({ hasGiven, isRevealed }: Sight): boolean => hasGiven || isRevealed
