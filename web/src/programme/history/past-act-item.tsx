import { Anchor, Paper } from '@mantine/core'
import { Link } from 'react-router'
import type { PastAct } from '#contract/programme-history.ts'
import { kinds } from '#web/kinds.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { recordPath } from '#web/paths.ts'
import { ClampedText } from '#web/ui/lists/clamped-text.tsx'
import classes from './past-acts.module.css'

/** Who did what and when, with the values before and after. */
export function PastActItem({ act }: { act: PastAct }) {
  const { at, by, action, isRefused } = act
  const changes = changesOf(act)
  return (
    <Paper withBorder className={classes.act}>
      <p className={classes.sentence}>
        <bdi>{by ?? (act.detail?.by === 'operator' ? 'The operator' : 'Sourcebook, or a visitor')}</bdi>:{' '}
        {isRefused && 'refused '}
        <strong>{action.replace(/^account-/, '').replaceAll('-', ' ')}</strong> <Subject act={act} />
      </p>
      <p className={classes.meta}>
        <time dateTime={at}>{formatMoment(at)}</time>
      </p>
      {changes.length > 0 && (
        <ClampedText lines={4} subject={`${action} of ${formatMoment(at)}`}>
          <dl className={classes.changes}>
            {changes.map(({ name, before, after }) => (
              <div key={name}>
                <dt>{name}</dt>
                {before !== undefined && (
                  <dd>
                    <del>{before}</del>
                  </dd>
                )}
                {after !== undefined && <dd>{after}</dd>}
              </div>
            ))}
          </dl>
        </ClampedText>
      )}
    </Paper>
  )
}

function Subject({ act: { kind, name, objectId } }: { act: PastAct }) {
  const known = kinds.find((one) => one.name === kind)
  if (known && name !== null && objectId !== null) {
    return (
      <>
        {kind}{' '}
        <Anchor component={Link} to={recordPath(known, { id: objectId })} inherit>
          <bdi>{name}</bdi>
        </Anchor>
      </>
    )
  }
  return <>{[kind, known && '(deleted or merged)'].filter(Boolean).join(' ')}</>
}

const asText = (value: unknown) =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

/** The values of an entry by name, then its details. */
const changesOf = ({ before, after, detail }: PastAct) => [
  ...[...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].map((name) => ({
    ...{ name, before: asText(before?.[name]), after: asText(after?.[name]) },
  })),
  ...Object.entries(detail ?? {}).map(([name, value]) => ({ name, before: undefined, after: asText(value) })),
]
