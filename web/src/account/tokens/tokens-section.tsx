import { Button, Skeleton, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { tokenScopes } from '#contract/token-scopes.ts'
import type { AccessToken, AccessTokens, NewAccessToken } from '#contract/tokens.ts'
import classes from '#web/account/account.module.css'
import { deleteToken, getTokens } from '#web/account/api.ts'
import { Section } from '#web/account/section.tsx'
import { formatAgo, formatDay, formatMoment } from '#web/lib/dates.ts'
import { RetryButton } from '#web/ui/buttons/retry-button.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { focusAfterwards } from '#web/ui/focus.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { MakeToken } from './make-token.tsx'
import { NewToken } from './new-token.tsx'
import { scopeWords } from './scope-words.ts'

/** Access tokens for programs: those of the person, and one more. */
export function TokensSection() {
  const { data, error, isPending, refetch } = useQuery(getTokens)
  return (
    <Section title="Access tokens">
      {isPending && <Skeleton height={96} />}
      {error && !data && <ErrorState title="Your access tokens could not be loaded" error={error} retry={refetch} />}
      {data && <Tokens {...data} />}
    </Section>
  )
}

const ABOUT =
  'A token lets a program, such as a spreadsheet or an automation, read and change what you can, with the rights of a fellow. Each one ends on its day, or when you end it or change your password.'

/** Why none can be made; undefined where one can. */
function whyNone({ allowed, isSafe }: AccessTokens): string | undefined {
  if (allowed === 'none') return 'Managers do not allow access tokens here.'
  return isSafe ? undefined : 'Tokens can be made only where the address of Sourcebook begins with https.'
}

function Tokens({ tokens, ...options }: AccessTokens) {
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<NewAccessToken>()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const why = whyNone({ tokens, ...options })
  const end = () => {
    setMaking(false)
    setMade(undefined)
    focusAfterwards(() => button.current)
  }
  // Without the last one there is no list.
  const focusRest = () => focusAfterwards(() => (tokens.length > 1 ? list.current : button.current))
  return (
    <>
      <Text size="sm" maw="70ch">
        {ABOUT}
      </Text>
      {tokens.length > 0 && (
        <ul ref={list} tabIndex={-1} className={classes.sessions} aria-label="Your access tokens">
          {tokens.map((token) => (
            <Token key={token.id} token={token} onEnded={focusRest} />
          ))}
        </ul>
      )}
      <HowToUse />
      {made && <NewToken token={made} onDone={end} />}
      {why && (
        <Text size="sm" c="dimmed">
          {why}
        </Text>
      )}
      {!why && isMaking && !made && <MakeToken allowed={options.allowed} onMade={setMade} onCancel={end} />}
      {!why && !isMaking && !made && (
        <div>
          <Button ref={button} variant="default" onClick={() => setMaking(true)}>
            Make a token…
          </Button>
        </div>
      )}
    </>
  )
}

/** The text of `docs/tools.md`, with the address of this Sourcebook, loaded once it is opened. */
function HowToUse() {
  const [isOpen, setOpen] = useState(false)
  const { data, isError, refetch } = useQuery({
    queryKey: ['tools'],
    queryFn: async ({ signal }) => {
      const answer = await fetch('/tools.txt', { signal })
      if (!answer.ok) throw new Error(String(answer.status))
      return (await answer.text()).replaceAll('https://sourcebook.example', location.origin)
    },
    enabled: isOpen,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>How programs, assistants and links use Sourcebook</summary>
      {isOpen && data && <pre className={classes.tools}>{data}</pre>}
      {isOpen && isError && <RetryButton retry={refetch} />}
    </details>
  )
}

const scopesOf = ({ scopes }: AccessToken) =>
  tokenScopes
    .filter((scope) => scopes.includes(scope))
    .map((scope) => scopeWords[scope].short)
    .join(', ')

function Token({ token, onEnded }: { token: AccessToken; onEnded: () => void }) {
  const { id, name, lastFour, lastUsedAt, lastNetwork, expiresAt } = token
  const { mutate, isPending } = useMutation(deleteToken)
  const end = async () => {
    const isSure = await confirm({
      ...{ title: `End ${name}?`, text: 'Programs that use this token stop immediately. It cannot be brought back.' },
      ...{ confirm: 'End', cancel: 'Cancel' },
    })
    if (!isSure) return
    mutate(id, {
      onSuccess: () => {
        toasts.success(`${name} has ended`)
        onEnded()
      },
    })
  }
  return (
    <li className={classes.session}>
      <IconKey size={24} stroke={1.5} aria-hidden="true" />
      <div className={classes.sessionText}>
        <bdi className={classes.device}>{name}</bdi>
        <span className={classes.meta}>
          sbk_…{lastFour} · {scopesOf(token)} · until <time dateTime={expiresAt}>{formatDay(expiresAt)}</time>
        </span>
        <span className={classes.meta}>
          {lastUsedAt === null ? (
            'Not used yet'
          ) : (
            <>
              Last used{' '}
              <time dateTime={lastUsedAt} title={formatMoment(lastUsedAt)}>
                {formatAgo(lastUsedAt)}
              </time>
              {lastNetwork && <> from {lastNetwork}</>}
            </>
          )}
        </span>
      </div>
      <Button variant="default" aria-label={`End ${name}`} disabled={isPending} onClick={end}>
        End
      </Button>
    </li>
  )
}
