import { NOT_STARTED, statusWords } from '#contract/status.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import classes from './card-pipeline.module.css'

/** On a card: stage, status and tags, where there is something to say. */
export const CardPipeline = ({ record: { pipeline, tags = [] } }: { record: RecordRow }) => {
  const stage =
    pipeline && (pipeline.stage || pipeline.status !== 'active') ? (pipeline.stage?.name ?? NOT_STARTED) : ''
  if (stage === '' && tags.length === 0) return null
  return (
    <div className={classes.root}>
      {pipeline && stage !== '' && (
        <span className={classes.stage}>
          <span className="visually-hidden">Stage: </span>
          <bdi>{stage}</bdi>
          {pipeline.status !== 'active' && ` · ${statusWords[pipeline.status].toLowerCase()}`}
        </span>
      )}
      {tags.map(({ id, name }) => (
        <span key={id} className={classes.tag}>
          <span className="visually-hidden">Tag: </span>
          <bdi>{name}</bdi>
        </span>
      ))}
    </div>
  )
}
