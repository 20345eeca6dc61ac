import type { z } from 'zod'
import { programmeActions } from './audit-programme-actions.ts'
import { recordActions } from './audit-record-actions.ts'

// Every action of the audit log, once: its noun, its sentence, the shape of its detail and who may read it.

export const auditActions = { ...recordActions, ...programmeActions }

export type AuditAction = keyof typeof auditActions
type Entries = typeof auditActions
type Entry = Entries[AuditAction]

export type DetailOf<Action extends AuditAction> = z.input<Entries[Action]['detail']>

type ReadBy<Readers> = {
  [Action in AuditAction]: Entries[Action] extends { readers: Readers } ? Action : never
}[AuditAction]

const names = Object.keys(auditActions) as AuditAction[]

/** The actions for which this holds. */
export const actionsThat = (holds: (entry: Entry) => unknown): AuditAction[] =>
  names.filter((name) => holds(auditActions[name]))

/** Those that the history of a record shows. */
export const fellowsRead = actionsThat(({ readers }) => readers === 'fellows') as ReadBy<'fellows'>[]
export const operatorReads = actionsThat(({ readers }) => readers === 'operator')

/** Undefined for an action that an earlier version wrote. */
export const entryOf = (action: string): Entry | undefined => auditActions[action as AuditAction]
