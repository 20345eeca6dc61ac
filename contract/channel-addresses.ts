// The addresses at which a chat takes messages, by kind. Others are refused before anything is sent.

/** `guide` says where the address comes from. */
export const channelKinds = {
  slack: {
    label: 'Slack',
    hosts: /^hooks\.slack(?:-gov)?\.com$/,
    guide: 'an incoming webhook, such as https://hooks.slack.com/services/…',
  },
  teams: {
    label: 'Teams',
    hosts: /^(?:[a-z0-9-]+\.)+(?:webhook\.office\.com|logic\.azure\.com|environment\.api\.powerplatform\.com)$/,
    guide: 'a workflow or an incoming webhook, such as https://….api.powerplatform.com/…',
  },
} as const

export type ChannelKind = keyof typeof channelKinds
export const channelKindNames = Object.keys(channelKinds) as ChannelKind[]

/** Whether the status of an answer, null without one, says that a message has arrived. */
export const isAccepted = (status: number | null): status is number => status !== null && status >= 200 && status < 300

/** Whether messages of a kind may be sent to an address: https, its own port, a host of that kind, no user name. */
export function isChannelAddress(kind: ChannelKind, address: string): boolean {
  const url = /^https:\/\/[\x21-\x7e]+$/i.test(address) ? URL.parse(address) : null
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.port === '' &&
    url.username === '' &&
    url.password === '' &&
    url.pathname.length > 1 &&
    channelKinds[kind].hosts.test(url.hostname)
  )
}
