import { useQuery } from '@tanstack/react-query'
import { formatDay } from '#web/lib/dates.ts'
import type { AfterAdding } from '#web/records/form/link-values.ts'
import { listTags, tagNamed } from '#web/tags/api.ts'
import classes from './after-chips.module.css'

type AfterChipsProps = { after: AfterAdding; onChange: (after: AfterAdding) => void }

/** Below the fields of an add form: what the record gets once it is added. A click removes it. */
export function AfterChips({ after, onChange }: AfterChipsProps) {
  const { tag, step, on } = after
  const { data: tags } = useQuery({ ...listTags, enabled: tag !== undefined })
  const isUnknown = tag !== undefined && tags !== undefined && tagNamed(tags, tag) === undefined
  const day = on && formatDay(`${on}T00:00`)
  const { step: _, on: __, ...withoutStep } = after
  const { tag: ___, ...withoutTag } = after
  return (
    <ul className={classes.chips} aria-label="After adding">
      {tag !== undefined && (
        <li>
          {isUnknown ? (
            <span role="status">
              There is no tag “<bdi>{tag}</bdi>”.
            </span>
          ) : (
            <button type="button" title="Remove" onClick={() => onChange(withoutTag)}>
              Tag: <bdi>{tag}</bdi>
              <span aria-hidden="true"> ×</span>
              <span className="visually-hidden"> (remove)</span>
            </button>
          )}
        </li>
      )}
      {(step !== undefined || on !== undefined) && (
        <li>
          <button type="button" title="Remove" onClick={() => onChange(withoutStep)}>
            Next step: <bdi>{[step, day].filter(Boolean).join(' · ')}</bdi>
            <span aria-hidden="true"> ×</span>
            <span className="visually-hidden"> (remove)</span>
          </button>
        </li>
      )}
    </ul>
  )
}
