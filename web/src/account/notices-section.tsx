import { UnstyledButton } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { AccountNotice } from '#contract/account.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { settings } from '#web/lib/settings.ts'
import { readNotices } from './api.ts'
import classes from './notices.module.css'

const words: Record<AccountNotice['what'], string> = {
  password: 'reset your password',
  two_factor: 'turned your second factor off',
  address: 'changed your address',
  name: 'changed your name',
  digest: 'stopped your daily mail',
  token: 'made an access token for your account',
  tokens_ended: 'ended your access tokens',
}

/** What a manager or the operator changed of the account. */
export function NoticesSection({ notices }: { notices: AccountNotice[] }) {
  const { mutate, isPending } = useMutation(readNotices)
  const [newest] = notices
  if (newest === undefined) return null
  const read = () => {
    mutate(newest.at)
    document.querySelector('main')?.focus({ preventScroll: true })
  }
  return (
    <section aria-label="Changes to your account" className={classes.notices}>
      <div className={classes.text}>
        {notices.map(({ id, by, what, at }) => (
          <p key={id}>
            <bdi>{by ?? (what === 'digest' ? 'The link in a mail' : 'The operator')}</bdi> {words[what]} ·{' '}
            <time dateTime={at}>{formatMoment(at)}</time>
          </p>
        ))}
        <p className={classes.meta}>If you did not expect this, ask {settings.contact}.</p>
      </div>
      <UnstyledButton className={classes.act ?? ''} disabled={isPending} onClick={read}>
        OK<span className="visually-hidden">, I have read this</span>
      </UnstyledButton>
    </section>
  )
}
