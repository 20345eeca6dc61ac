import { Anchor } from '@mantine/core'
import { IconArrowBackUp, IconBellOff, IconCheck, IconMail } from '@tabler/icons-react'
import { Link } from 'react-router'
import { kindNamed } from '#contract/kinds.ts'
import { formatMoment, formatTime } from '#web/lib/dates.ts'
import { RecordLink } from '#web/records/card/record-link.tsx'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { AgainActs } from './again-acts.tsx'
import type { InboxView, Line } from './api.ts'
import classes from './inbox.module.css'
import { useSwipe } from './use-swipe.ts'

type LineItemProps = {
  view: InboxView
  line: Line & { day: string | undefined }
  isCurrent: boolean
  onCurrent: () => void
  /** For a line without a record, which is read once it is opened. */
  onOpen: () => void
  onDone: (() => void) | undefined
  onReopen: (() => void) | undefined
  onUnread: (() => void) | undefined
  onMute: (() => void) | undefined
}

/** A line: what it says, as a link to its record, and what to do with it. */
export function LineItem({
  view,
  line,
  isCurrent,
  onCurrent,
  onOpen,
  onDone,
  onReopen,
  onUnread,
  onMute,
}: LineItemProps) {
  const { key, kind, record, sentence, address, lastAt, isRead, day } = line
  const { ref, shift } = useSwipe({ onRight: onDone ?? onReopen, onLeft: onMute })
  return (
    <>
      {day && <h2 className={classes.day}>{day}</h2>}
      <div className={classes.swipe} data-to={shift === 0 ? undefined : shift > 0 ? 'right' : 'left'}>
        {shift !== 0 && (
          <span className={classes.behind} aria-hidden="true">
            {shift < 0 ? 'Mute' : onDone ? 'Done' : 'Open again'}
          </span>
        )}
        <article
          ref={ref}
          className={classes.item}
          data-kind={kind}
          data-unread={!isRead || undefined}
          data-current={isCurrent || undefined}
          style={shift === 0 ? undefined : { transform: `translateX(${shift}px)` }}
          onFocus={onCurrent}
        >
          <p className={classes.sentence}>
            {!isRead && <span className="visually-hidden">Unread: </span>}
            {record ? (
              <RecordLink kind={kindNamed(record.kind)} record={record} line={{ ...view, key }}>
                <bdi>{sentence}</bdi>
              </RecordLink>
            ) : (
              <Anchor component={Link} to={address} inherit className={classes.link ?? ''} onClick={onOpen}>
                {sentence}
              </Anchor>
            )}
          </p>
          {kind === 'again' && record && onDone && <AgainActs record={record} />}
          <time className={classes.time} dateTime={lastAt} title={formatMoment(lastAt)}>
            {formatTime(lastAt)}
          </time>
          <div className={classes.acts}>
            {onUnread && (
              <IconButton
                label={`Mark as unread: ${sentence}`}
                tip="Unread (U)"
                icon={<IconMail size={20} stroke={1.5} />}
                onClick={onUnread}
              />
            )}
            {onMute && (
              <IconButton
                label={`Mute ${record?.name}`}
                tip="Mute (M)"
                icon={<IconBellOff size={20} stroke={1.5} />}
                onClick={onMute}
              />
            )}
            {onDone && (
              <IconButton
                label={`Done: ${sentence}`}
                tip="Done (E)"
                icon={<IconCheck size={20} stroke={1.5} />}
                onClick={onDone}
              />
            )}
            {onReopen && (
              <IconButton
                label={`Open again: ${sentence}`}
                tip="Open again"
                icon={<IconArrowBackUp size={20} stroke={1.5} />}
                onClick={onReopen}
              />
            )}
          </div>
        </article>
      </div>
    </>
  )
}
