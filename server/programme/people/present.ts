import { type Person, personActs } from '#contract/programme.ts'
import { acts, isErased } from './acts.ts'
import type { PersonRow } from './store.ts'

export function presentPerson(row: PersonRow, { hasMail }: { hasMail: boolean }): Person {
  const { emailVerified, disabledAt, pendingSince, createdAt, lastSeenAt, ...person } = row
  return {
    ...person,
    state: isErased(row) ? 'erased' : disabledAt !== null ? 'disabled' : pendingSince !== null ? 'pending' : 'active',
    isVerified: emailVerified,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    can: personActs.filter(
      (name) => acts[name].isUseful(row) && !(acts[name].isForFellowsOnly && row.role === 'manager'),
    ),
    canChange: isErased(row) ? [] : hasMail || emailVerified || row.role === 'manager' ? ['name'] : ['name', 'email'],
  }
}
