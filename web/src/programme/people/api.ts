import {
  infiniteQueryOptions,
  keepPreviousData,
  mutationOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import type {
  InvitationOutcome,
  LeaveInput,
  Leaver,
  OpenInvitation,
  Person,
  PersonAct,
  PersonChange,
  SignUpAnswer,
  SignUpInput,
} from '#contract/programme.ts'
import { del, get, getPage, type Page, patch, post, put } from '#web/lib/http.ts'
import { peopleKey } from '#web/programme/keys.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

const PEOPLE = '/programme/people'
const INVITATIONS = '/programme/invitations'
const A_PAGE = 50

const listed = <Row>(path: string, search: string, failure: string) =>
  infiniteQueryOptions({
    queryKey: [...peopleKey, path, search] as const,
    queryFn: ({ pageParam, signal }) => getPage<Row>(pageParam, { signal }),
    initialPageParam: `${path}?${new URLSearchParams({ limit: String(A_PAGE), ...(search && { search }) })}`,
    getNextPageParam: (page: Page<Row>) => page.next,
    staleTime: 0,
    // A menu that is open stays so while others are searched for.
    placeholderData: keepPreviousData,
    meta: { failure },
  })

export const listPeople = (search: string) => listed<Person>(PEOPLE, search, 'Failed to fetch the people')
export const listInvitations = listed<OpenInvitation>(INVITATIONS, '', 'Failed to fetch the invitations')

const refetch = (_answer: unknown, _input: unknown, _result: unknown, { client }: { client: QueryClient }) =>
  client.invalidateQueries({ queryKey: peopleKey })

/** Where no mail is set up, a reset of a password returns a link, which is shown once. */
export const actOnPerson = mutationOptions({
  mutationFn: ({ id, act }: { id: string; act: PersonAct }) =>
    withIdentity(() => post<{ link?: string; isMailed?: boolean }>(`${PEOPLE}/${id}/${act}`)),
  onSettled: (_answer, _failure, _input, _result, { client }) => client.invalidateQueries({ queryKey: peopleKey }),
})

export const changePerson = mutationOptions({
  mutationFn: ({ id, ...change }: PersonChange & { id: string }) =>
    withIdentity(() => patch<void>(`${PEOPLE}/${id}`, change)),
  onSuccess: refetch,
})

/** What people have here, counted before they leave. */
export const listLeavers = (ids: string[]) =>
  queryOptions({
    queryKey: [...peopleKey, 'leave', ...ids] as const,
    queryFn: ({ signal }) => get<Leaver[]>(`${PEOPLE}/leave?ids=${ids.join()}`, { signal }),
    staleTime: 0,
    meta: { failure: 'Failed to count what they have here' },
  })

/** All of them, or none. */
export const leavePeople = mutationOptions({
  mutationFn: (leaving: LeaveInput) => withIdentity(() => post<{ id: string }[]>(`${PEOPLE}/leave`, leaving)),
  onSuccess: refetch,
})

/** Lets another spelling of a disabled address sign up. */
export const allowAddress = mutationOptions({
  mutationFn: ({ email }: { email: string }) => post<void>('/programme/allow', { email }),
})

export const invite = mutationOptions({
  mutationFn: (emails: string[]) => post<InvitationOutcome[]>(INVITATIONS, { emails }),
  onSuccess: refetch,
})

export const deleteInvitation = mutationOptions({
  mutationFn: (id: string) => del<void>(`${INVITATIONS}/${id}`),
  onSuccess: refetch,
})

export const getSignUp = queryOptions({
  queryKey: ['programme', 'sign-up'],
  queryFn: ({ signal }) => get<SignUpAnswer>('/programme/sign-up', { signal }),
  staleTime: 0,
  meta: { failure: 'Failed to fetch who may sign up' },
})

export const changeSignUp = mutationOptions({
  mutationFn: (input: SignUpInput) => withIdentity(() => put<SignUpAnswer>('/programme/sign-up', input)),
  onSuccess: (saved, _input, _result, { client }) => client.setQueryData(getSignUp.queryKey, saved),
})
