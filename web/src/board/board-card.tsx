import { ActionIcon, Avatar } from '@mantine/core'
import { IconAlarm, IconDots, IconGripVertical, IconX } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import type { Pipeline, Stage } from '#contract/stage.ts'
import { initialsOf } from '#web/lib/initials.ts'
import { takesAlong } from '#web/pipeline/along.ts'
import { AlongItem } from '#web/pipeline/along-item.tsx'
import { StageMenu } from '#web/pipeline/stage-menu.tsx'
import { hasStep, StepLine } from '#web/pipeline/step-line.tsx'
import { daysWords, limitPassed, type PipelineChange, stayWords } from '#web/pipeline/words.ts'
import type { RecordQuery } from '#web/records/cache/record-query.ts'
import { Rating } from '#web/records/card/rating.tsx'
import { RecordAvatar } from '#web/records/card/record-avatar.tsx'
import { RecordLink } from '#web/records/card/record-link.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useRights } from '#web/session/use-rights.ts'
import classes from './board.module.css'

type BoardCardProps = {
  kind: RecordKind
  record: RecordRow
  stages: readonly Stage[]
  /** The list of its column, for the next and the previous record on its page. */
  query: RecordQuery
  /** Only then it loads its picture. */
  isInSight: boolean
  isMoving: boolean
  isCarried: boolean
  onPointerDown: (event: PointerEvent<HTMLElement>) => void
  onGripKey: (event: KeyboardEvent) => void
  onGripBlur: () => void
  onChoose: (change: PipelineChange) => void
}

/** A record on the board: dragged, carried by the keys of its grip, or moved by its menu. */
export function BoardCard({ kind, record, stages, query, ...card }: BoardCardProps) {
  const [isOpen, setOpen] = useState(false)
  const mayChange = useRights()('change')
  const { isMoving, isCarried } = card
  return (
    <article
      className={classes.card}
      aria-label={record.name}
      aria-busy={isMoving}
      data-carried={isCarried || undefined}
      onPointerDown={isMoving || !mayChange ? undefined : card.onPointerDown}
      onDragStart={(event) => event.preventDefault()}
    >
      <CardText {...{ kind, record, stages }} isInSight={card.isInSight}>
        <RecordLink kind={kind} record={record} query={query} />
      </CardText>
      {mayChange && (
        <div className={classes.tools}>
          <ActionIcon
            variant="subtle"
            color="gray"
            className={classes.grip ?? ''}
            data-grip={record.id}
            aria-label={`Move ${record.name}`}
            aria-pressed={isCarried}
            title="Drag, or press Enter and then the arrow keys"
            onKeyDown={isMoving ? undefined : card.onGripKey}
            onBlur={card.onGripBlur}
          >
            <IconGripVertical size={18} stroke={1.5} />
          </ActionIcon>
          <StageMenu
            label={`Stage and status of ${record.name}`}
            pipeline={record.pipeline}
            isOpen={isOpen}
            setOpen={setOpen}
            withStatuses
            endsThere
            onChoose={card.onChoose}
            below={takesAlong(kind) && <AlongItem {...{ kind, record }} stageId={record.pipeline?.stage?.id ?? null} />}
          >
            <ActionIcon
              variant="subtle"
              color="gray"
              className={classes.menu ?? ''}
              aria-label={`Stage and status of ${record.name}`}
              title="Stage and status"
              disabled={isMoving}
            >
              <IconDots size={18} stroke={1.5} />
            </ActionIcon>
          </StageMenu>
        </div>
      )}
    </article>
  )
}

type CardTextProps = Pick<BoardCardProps, 'kind' | 'record' | 'stages' | 'isInSight'> & { children: ReactNode }

/** What a card says, also while it is dragged. */
export const CardText = ({ kind, record, stages, isInSight, children }: CardTextProps) => {
  const { pipeline, name } = record
  const { picture, about } = kind.brief(record)
  const limit = pipeline && limitPassed(pipeline, stages)
  return (
    <>
      <RecordAvatar name={name} picture={isInSight ? picture : undefined} size={32} square={kind.isSquare} />
      <div className={classes.text}>
        <h3 className={`cut ${classes.name}`}>{children}</h3>
        {about !== '' && (
          <p className={classes.line}>
            <bdi>{about}</bdi>
          </p>
        )}
        {pipeline && hasStep(pipeline) ? (
          <p className={classes.line}>
            <StepLine step={pipeline} />
          </p>
        ) : (
          pipeline?.reason && <ReasonLine reason={pipeline.reason} />
        )}
        <p className={classes.line}>
          <Rating record={record} />
          {pipeline?.responsible && (
            <span className={classes.responsible} title={`Responsible: ${pipeline.responsible.name}`}>
              <Avatar name={pipeline.responsible.name} size={20} className={classes.face ?? ''} aria-hidden="true">
                {initialsOf(pipeline.responsible.name)}
              </Avatar>
              <span className="visually-hidden">Responsible: </span>
              <bdi>{pipeline.responsible.name}</bdi>
            </span>
          )}
          {pipeline?.stage && pipeline.daysInStage !== null && (
            <span
              className={classes.days}
              data-late={limit !== undefined || undefined}
              title={
                limit === undefined
                  ? stayWords(pipeline.daysInStage)
                  : `${stayWords(pipeline.daysInStage)}, over its limit of ${daysWords(limit)}`
              }
            >
              {limit !== undefined && <IconAlarm size={14} stroke={1.5} aria-hidden="true" />}
              {pipeline.daysInStage === 0 ? 'under a day' : daysWords(pipeline.daysInStage)}
              {limit !== undefined && <span className="visually-hidden">, over the limit of {daysWords(limit)}</span>}
            </span>
          )}
        </p>
      </div>
    </>
  )
}

/** Why a record was passed, in one line, which is cut. */
const ReasonLine = ({ reason: { name, text } }: { reason: NonNullable<Pipeline['reason']> }) => {
  const words = text === undefined ? name : `${name}: ${text}`
  return (
    <p className={classes.line} title={words}>
      <IconX size={14} stroke={1.5} aria-hidden="true" className={classes.icon} />
      <span className="visually-hidden">Reason for passing: </span>
      <bdi>{words}</bdi>
    </p>
  )
}
