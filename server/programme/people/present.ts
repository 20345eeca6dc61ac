import { type Person, type PersonAct, personActs } from '#contract/programme.ts'
import { acts, isErased } from './acts.ts'
import type { PersonRow } from './store.ts'

const stateOf = (row: PersonRow): Person['state'] => {
  const { leftAt, disabledAt, pendingSince } = row
  if (isErased(row)) return 'erased'
  if (leftAt !== null) return 'left'
  if (disabledAt !== null) return 'disabled'
  return pendingSince !== null ? 'pending' : 'active'
}

/** `showsLinks`: a link to a new password is shown, not mailed. */
export function presentPerson(
  row: PersonRow,
  { mayChangeAddress, showsLinks, isCaller }: { mayChangeAddress: boolean; showsLinks: boolean; isCaller: boolean },
): Person {
  const isOperators = (act: PersonAct) =>
    acts[act].isForFellowsOnly && (row.role === 'manager' || (act === 'reset-password' && showsLinks && row.wasManager))
  const { emailVerified, disabledAt, leftAt, pendingSince, createdAt, lastSeenAt, wasManager, ...person } = row
  return {
    ...person,
    state: stateOf(row),
    isVerified: emailVerified,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    can: personActs.filter((name) => acts[name].isUseful(row) && !isOperators(name) && !(name === 'erase' && isCaller)),
    canChange: isErased(row) ? [] : mayChangeAddress ? ['name', 'email'] : ['name'],
  }
}
