import { Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { whenIdle } from '#web/lib/idle.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { useRights } from '#web/session/use-rights.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import { changeTags } from './api.ts'
import classes from './tags.module.css'

const TagInput = lazyPart('The tags could not be loaded.', async () => (await import('./tag-input.tsx')).TagInput)

/** The tags of a record, with a way to add and to remove them. */
export function RecordTags({ kind, record }: { kind: RecordKind; record: RecordRow }) {
  const { tags = [] } = record
  const draft = useDraft(
    `tag of ${record.id}`,
    { text: '' },
    { what: 'change', kind: kind.name, id: record.id, name: record.name },
  )
  const mayChange = useRights()('change')
  const [isAdding, setAdding] = useState(() => draft.isTyped)
  const [hasAdded, setAdded] = useState(false)
  // It must take the first letter that is typed after the button.
  useEffect(() => (mayChange ? whenIdle(TagInput.preload) : undefined), [mayChange])
  const list = useRef<HTMLUListElement>(null)
  const { mutateAsync, isPending } = useMutation(changeTags(kind, record))
  /** The place of a tag whose button had the focus when it was removed. */
  const removed = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once the tag is no longer drawn
  useEffect(() => {
    if (removed.current === undefined || document.activeElement !== document.body) return
    const buttons = list.current?.querySelectorAll('button') ?? []
    ;(buttons[Math.min(removed.current, buttons.length - 1)] ?? list.current)?.focus()
    removed.current = undefined
  }, [tags])
  const remove = (id: string) => {
    removed.current = tags.findIndex((tag) => tag.id === id)
    // A failure has its toast.
    void mutateAsync({ remove: id }).catch(() => undefined)
  }
  return (
    <div className={classes.root}>
      <ul ref={list} tabIndex={-1} className={classes.list} aria-label={`Tags of ${record.name}`}>
        {tags.map(({ id, name }) => (
          <li key={id} className={classes.tag}>
            <bdi className={classes.name}>{name}</bdi>
            {mayChange && (
              <button
                type="button"
                className={classes.remove}
                aria-disabled={isPending || undefined}
                onClick={() => !isPending && remove(id)}
              >
                <IconX size={14} stroke={1.5} aria-hidden="true" />
                <span className="visually-hidden">Remove the tag {name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {!mayChange ? (
        tags.length === 0 && 'None'
      ) : isAdding ? (
        <TagInput
          draft={draft}
          takesFocus={hasAdded}
          label={`Add a tag to ${record.name}`}
          taken={tags}
          isBusy={isPending}
          onTag={(name) =>
            mutateAsync({ add: name }).then(
              () => true,
              () => false,
            )
          }
          onEnd={() => setAdding(false)}
          fallback={<div className={classes.field} />}
        />
      ) : (
        <Button
          ref={hasAdded ? focusWhenShown : null}
          variant="subtle"
          size="compact-sm"
          className={classes.add ?? ''}
          leftSection={<IconPlus size={14} stroke={1.5} />}
          onClick={() => {
            setAdding(true)
            setAdded(true)
          }}
        >
          Add a tag
        </Button>
      )}
    </div>
  )
}
