import { Anchor, Paper } from '@mantine/core'
import { Link } from 'react-router'
import type { PastAct } from '#contract/programme-history.ts'
import { kinds } from '#web/kinds.ts'
import { formatMoment } from '#web/lib/dates.ts'
import { recordPath } from '#web/paths.ts'
import classes from './past-acts.module.css'

/** Who did what and when, as a sentence. The values before and after are folded. */
export function PastActItem({ act }: { act: PastAct }) {
  const { at, by } = act
  const changes = changesOf(act)
  return (
    <Paper withBorder className={classes.act}>
      <p className={classes.sentence}>
        <Sentence act={act} />
      </p>
      <p className={classes.meta}>
        <time dateTime={at}>{formatMoment(at)}</time>
        {by !== null && ` · ${by}`}
      </p>
      {changes.length > 0 && (
        <details className={classes.details}>
          <summary>
            Details<span className="visually-hidden"> of: {act.sentence}</span>
          </summary>
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
        </details>
      )}
    </Paper>
  )
}

/** The sentence, with a link to the record while it is here. */
function Sentence({ act: { sentence, kind, name, objectId } }: { act: PastAct }) {
  const known = kinds.find((one) => one.name === kind)
  const subject = `the ${kind} ${name}`
  const [start, ...rest] = sentence.split(subject)
  if (!known || name === null || objectId === null || rest.length === 0) return sentence
  return (
    <>
      {start}the {kind}{' '}
      <Anchor component={Link} to={recordPath(known, { id: objectId })} inherit>
        <bdi>{name}</bdi>
      </Anchor>
      {rest.join(subject)}
    </>
  )
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
