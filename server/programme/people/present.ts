import { type Person, type PersonAct, personActs } from '#contract/programme.ts'
import { stateOf } from '#server/auth/store.ts'
import { isManager } from '#server/rights.ts'
import { acts, outcomeOf } from './acts.ts'
import type { PersonRow } from './store.ts'

/** `showsLinks`: a link to a new password is shown, not mailed. */
export function presentPerson(
  row: PersonRow,
  { mayChangeAddress, showsLinks, isCaller }: { mayChangeAddress: boolean; showsLinks: boolean; isCaller: boolean },
): Person {
  const isOperators = (act: PersonAct) =>
    acts[act].isForFellowsOnly && (isManager(row) || (act === 'reset-password' && showsLinks && row.wasManager))
  const { emailVerified, disabledAt, leftAt, pendingSince, createdAt, lastSeenAt, wasManager, ...person } = row
  return {
    ...person,
    state: stateOf(row),
    isVerified: emailVerified,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    can: personActs.filter(
      (name) => outcomeOf(name, row) === 'do' && !isOperators(name) && !(name === 'erase' && isCaller),
    ),
    canChange: stateOf(row) === 'erased' ? [] : mayChangeAddress ? ['name', 'email'] : ['name'],
  }
}
