// In a file of their own, because every screen refetches what they name after a change of others.

export const peopleKey = ['programme', 'people'] as const
export const uninformedKey = ['programme', 'uninformed'] as const
export const sendingKey = ['programme', 'sending'] as const
