import type { AccountSession } from '#contract/account.ts'
import type { listSessions } from '#server/auth/sessions/session.ts'
import { deviceOf } from './device.ts'

type SessionRow = Awaited<ReturnType<typeof listSessions>>[number]

export const presentSession = (row: SessionRow, currentId: string): AccountSession => ({
  id: row.id,
  isCurrent: row.id === currentId,
  device: deviceOf(row.userAgent ?? ''),
  ip: row.ipAddress ?? '',
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.updatedAt.toISOString(),
})
