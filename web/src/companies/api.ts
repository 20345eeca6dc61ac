import { mutationOptions, type QueryClient } from '@tanstack/react-query'
import type { Company, CompanyCreated, CompanyInput, CompanyPatch, CompanyRefresh } from '#contract/company.ts'
import type { HistoryPlace } from '#web/history/api.ts'
import { del, post, put } from '#web/lib/http.ts'
import type { NotesPlace } from '#web/notes/api.ts'
import { refetchRecord } from '#web/records/list-cache.ts'
import { listQuery, MINE_FAILURE } from '#web/records/list-query.ts'
import { duplicateQuery, recordQuery } from '#web/records/record-query.ts'
import { companyFields } from './company-fields.ts'

// All that the page says to the server about companies.

export const companyKey = ['companies'] as const
export const companyLists = ['companies', 'list'] as const

export const companyList = (search: string) =>
  listQuery<Company>({ key: companyLists, path: '/companies', search, failure: 'Failed to fetch companies' })

export const companyNotes: NotesPlace = { path: '/notes/company', lists: companyLists }

export const companyHistory: HistoryPlace = { path: '/companies', labels: companyFields }

export const myCompanies = (search: string) =>
  listQuery<Company>({ key: companyLists, path: '/companies', search, isMine: true, failure: MINE_FAILURE })

export const getCompany = (id: string) => recordQuery<Company>([...companyKey, 'one', id], `/companies/${id}`)

/** Asks for a company again, where the page shows it. */
export const renewCompany = (client: QueryClient, id: string) => refetchRecord(client, companyLists, getCompany(id), id)

/** The company that is here already under a website, in whatever spelling. */
export const knownCompany = (website: string) => duplicateQuery('/companies', { website })

export const createCompany = mutationOptions({
  mutationFn: ({ company, key }: { company: CompanyInput; key: string }) =>
    post<CompanyCreated>('/companies', company, { key }),
  // Dropped, not refetched: the newest are first, so the list begins anew at its top.
  onSuccess: (_created, _input, _result, { client }) => client.removeQueries({ queryKey: companyLists }),
  meta: { failure: 'Failed to add company' },
})

export const updateCompany = (id: string, patch: CompanyPatch) => put<Company>(`/companies/${id}`, patch)

export const deleteCompany = (id: string) => del(`/companies/${id}`)

export const refreshCompany = (id: string) => post<CompanyRefresh>(`/companies/${id}/refresh`)
