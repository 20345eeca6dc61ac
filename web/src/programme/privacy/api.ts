import type { AccessReport, Erased, EraseInput, PersonHit, PersonSearch } from '#contract/privacy.ts'
import { post } from '#web/lib/http.ts'

export const searchPerson = {
  mutationFn: (person: PersonSearch) => post<PersonHit[]>('/programme/privacy/search', person),
}

export const createAccessReport = {
  mutationFn: (refs: string[]) => post<AccessReport>('/programme/privacy/report', { refs }),
}

export const erasePerson = { mutationFn: (input: EraseInput) => post<Erased>('/programme/privacy/erase', input) }
