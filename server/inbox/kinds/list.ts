import { type InboxGroup, inboxKinds } from '#contract/inbox-kinds.ts'
import type { InboxKind } from '../kind.ts'
import { again } from './again.ts'
import { approval } from './approval.ts'
import { followed } from './followed.ts'
import { given } from './given.ts'
import { many } from './many.ts'
import { mention } from './mention.ts'
import { opinion } from './opinion.ts'
import { search } from './search.ts'

/** All kinds of lines. A further one is its file, its line here, and its group in the contract. */
export const allInboxKinds: InboxKind[] = [mention, given, opinion, again, approval, followed, many, search]

export const kindsOfGroup = (group: InboxGroup): InboxKind[] =>
  allInboxKinds.filter(({ name }) => inboxKinds[name] === group)
