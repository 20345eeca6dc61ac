import type { Pipeline } from '#contract/stage.ts'
import { NOT_STARTED, statusWords } from '#contract/status.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useSignIn } from '#web/session/use-current-user.ts'
import classes from './card-pipeline.module.css'
import { hasStep, StepLine } from './step-line.tsx'

/** On a card: stage, status and tags, and the next step for the fellow who is responsible. */
export const CardPipeline = ({ record }: { record: RecordRow }) => (
  <>
    <StageAndTags record={record} />
    {record.pipeline && hasStep(record.pipeline) && <MyStep pipeline={record.pipeline} />}
  </>
)

const MyStep = ({ pipeline }: { pipeline: Pipeline }) => {
  const { account } = useSignIn()
  return pipeline.responsible?.id === account && <StepLine step={pipeline} />
}

/** So many are named on a card; the others are counted. */
const TAGS_SHOWN = 2

const StageAndTags = ({ record: { pipeline, tags = [] } }: { record: RecordRow }) => {
  const stage =
    pipeline && (pipeline.stage || pipeline.status !== 'active') ? (pipeline.stage?.name ?? NOT_STARTED) : ''
  if (stage === '' && tags.length === 0) return null
  const others = tags.slice(TAGS_SHOWN)
  return (
    <div className={classes.root}>
      {pipeline && stage !== '' && (
        <span className={`cut ${classes.stage}`}>
          <span className="visually-hidden">Stage: </span>
          <bdi>{stage}</bdi>
          {pipeline.status !== 'active' && ` · ${statusWords[pipeline.status].toLowerCase()}`}
        </span>
      )}
      {tags.slice(0, TAGS_SHOWN).map(({ id, name }) => (
        <span key={id} className={`cut ${classes.tag}`}>
          <span className="visually-hidden">Tag: </span>
          <bdi>{name}</bdi>
        </span>
      ))}
      {others.length > 0 && (
        <span className={classes.more} title={others.map(({ name }) => name).join(', ')}>
          +{others.length}
          <span className="visually-hidden"> more tags: {others.map(({ name }) => name).join(', ')}</span>
        </span>
      )}
    </div>
  )
}
