import { RATING_MAX } from '#contract/limits.ts'
import type { Opinion, Opinions } from '#contract/opinion.ts'
import { formatDay } from '#web/lib/dates.ts'
import classes from './opinions.module.css'

type OwnOpinion = NonNullable<Opinions['mine']>
type OpinionListProps = { mine: OwnOpinion | null; others: Opinion[] }

/** Each opinion that one may read, one's own first. */
export const OpinionList = ({ mine, others }: OpinionListProps) => (
  <ul className={classes.list}>
    {mine && <OpinionItem name="You" opinion={mine} />}
    {others.map((opinion) => (
      <OpinionItem key={opinion.fellow.id} name={opinion.fellow.name} opinion={opinion} />
    ))}
  </ul>
)

const OpinionItem = ({ name, opinion }: { name: string; opinion: OwnOpinion }) => (
  <li className={classes.item}>
    <p className={classes.line}>
      <bdi className={classes.name}>{name}</bdi>
      <span className={classes.rating}>
        {opinion.rating}/{RATING_MAX}
      </span>
    </p>
    {opinion.comment !== '' && (
      <p className={classes.words}>
        <bdi>{opinion.comment}</bdi>
      </p>
    )}
    <p className={classes.quiet}>
      {formatDay(opinion.changedAt ?? opinion.givenAt)}
      {opinion.isAfterReading && ' · after reading others'}
    </p>
  </li>
)
