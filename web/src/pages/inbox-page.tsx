import { Inbox } from '#web/inbox/inbox.tsx'

export const InboxPage = () => <Inbox />
