import { type Person, personActs } from '#contract/programme.ts'
import { acts } from './acts.ts'
import type { PersonRow } from './store.ts'

const stateOf = ({ leftAt, disabledAt, pendingSince }: PersonRow): Person['state'] => {
  if (leftAt !== null) return 'left'
  if (disabledAt !== null) return 'disabled'
  return pendingSince !== null ? 'pending' : 'active'
}

export function presentPerson(row: PersonRow, { mayChangeAddress }: { mayChangeAddress: boolean }): Person {
  const { emailVerified, disabledAt, leftAt, pendingSince, createdAt, lastSeenAt, ...person } = row
  return {
    ...person,
    state: stateOf(row),
    isVerified: emailVerified,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    can: personActs.filter(
      (name) => acts[name].isUseful(row) && !(acts[name].isForFellowsOnly && row.role === 'manager'),
    ),
    canChange: mayChangeAddress ? ['name', 'email'] : ['name'],
  }
}
