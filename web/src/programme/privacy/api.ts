import type { AccessReport, Erased, EraseInput, PersonHit, PersonSearch } from '#contract/privacy.ts'
import { post } from '#web/lib/http.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

export const searchPerson = {
  mutationFn: (person: PersonSearch) => post<PersonHit[]>('/programme/privacy/search', person),
}

export const createAccessReport = {
  mutationFn: (refs: string[]) => withIdentity(() => post<AccessReport>('/programme/privacy/report', { refs })),
}

export const erasePerson = {
  mutationFn: (input: EraseInput) => withIdentity(() => post<Erased>('/programme/privacy/erase', input)),
}
