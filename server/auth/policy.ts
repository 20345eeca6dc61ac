import type { Account } from './session.ts'

/** The role alone grants nothing. Each policy checks it where it grants managers a right. */
export const isManager = ({ role }: Account): boolean => role === 'manager'
