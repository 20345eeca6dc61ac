import type { Account } from './session.ts'

/** What a manager may do beyond a fellow is said where that right is decided, by asking this. */
export const isManager = ({ role }: Account): boolean => role === 'manager'
