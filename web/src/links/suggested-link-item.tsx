import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { LinkReason, SuggestedLink } from '#contract/link.ts'
import { capital } from '#contract/plain-text.ts'
import { RecordLink } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { putLink } from './api.ts'
import classes from './linked-records.module.css'

const REASONS: Record<LinkReason, string> = {
  same_company: 'same company name',
  similar_company: 'similar company name',
  email_domain: 'same email domain',
}

type SuggestedLinkItemProps = {
  own: { kind: RecordKind; id: string }
  linkedKind: RecordKind
  suggestion: SuggestedLink
  onLinked: () => void
}

/** A record that may be linked, why, and the button that links it in the role that is shown. */
export function SuggestedLinkItem({ own, linkedKind, suggestion, onLinked }: SuggestedLinkItemProps) {
  const { id, name, title, company, facts, role, reasons } = suggestion
  const { mutateAsync: link, isPending } = useMutation(putLink(own))
  const about = facts ?? [title, company].filter(Boolean).join(' · ')
  return (
    <li className={classes.item}>
      <div className={classes.what}>
        <RecordLink kind={linkedKind} record={suggestion} />
        {about !== '' && (
          <p className={classes.quiet}>
            <bdi>{about}</bdi>
          </p>
        )}
        <p className={classes.quiet}>
          {capital(reasons.map((reason) => REASONS[reason]).join(' · '))}
          {role !== '' && (
            <>
              {' · role: '}
              <bdi>{role}</bdi>
            </>
          )}
        </p>
      </div>
      <Button
        variant="default"
        size="compact-xs"
        className={classes.link ?? ''}
        disabled={isPending}
        // A callback of `mutate` would not run, because this item is gone by then. A failure has its toast.
        onClick={() => link({ id, role }).then(onLinked, () => {})}
      >
        Link
        <span className="visually-hidden"> {name}</span>
      </Button>
    </li>
  )
}
