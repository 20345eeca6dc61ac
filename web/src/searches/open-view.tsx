import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { SavedSearch } from '#contract/saved-search.ts'
import { searchPath } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { ChangeActs } from '#web/session/change-acts.tsx'
import { confirm } from '#web/ui/dialogs/confirm.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { deleteSearch, updateSearch, watchSearch } from './api.ts'
import { SaveButton } from './save-button.tsx'
import { listPath, savedQuery } from './saved-query.ts'
import { SearchDialog } from './search-dialog.tsx'
import classes from './views.module.css'

/** What is sought in the open view, whether the list differs from it, and what can be done with it. */
export function OpenView({ kind, search }: { kind: RecordKind; search: SavedSearch }) {
  const { id, name, about, query, gone, isWatched, can } = search
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const [isEdited, setEdited] = useState(false)
  const update = useMutation(updateSearch)
  const watch = useMutation(watchSearch)
  const remove = useMutation(deleteSearch)
  const shown = savedQuery(kind, parameters)
  const isChanged = shown !== savedQuery(kind, new URLSearchParams(query))
  const save = () =>
    update.mutate(
      { id, query: shown },
      { onError: (failure) => toasts.failure(failure, 'The view could not be saved') },
    )
  const deleteView = async () => {
    const title = 'Delete this view?'
    const text = search.isShared ? `“${name}” is gone for everyone.` : `“${name}” is gone, and its records stay.`
    if (!(await confirm({ title, text, confirm: 'Delete', cancel: 'Cancel' }))) return
    remove.mutate(id, { onSuccess: () => navigate(`${searchPath(kind)}?${shown}`, { replace: true }) })
  }
  return (
    <div className={classes.open}>
      <p className={classes.about} title={about}>
        {gone.length > 0 ? <span role="status">{`${gone.join('. ')}.`}</span> : about}
      </p>
      <div className={classes.acts}>
        {isChanged && (
          <>
            <span className={classes.changed}>Changed</span>
            {can.edit && (
              <Button
                variant="subtle"
                size="xs"
                aria-disabled={update.isPending}
                onClick={() => update.isPending || save()}
              >
                Save
              </Button>
            )}
            <SaveButton kind={kind} label="Save as…" />
            <Button component={Link} variant="subtle" size="xs" to={listPath(kind, search)} preventScrollReset>
              Reset
            </Button>
          </>
        )}
        <Button
          variant="subtle"
          size="xs"
          aria-pressed={isWatched}
          aria-disabled={watch.isPending}
          onClick={() => watch.isPending || watch.mutate({ id, isWatched: !isWatched })}
        >
          {isWatched ? 'Watching' : 'Watch'}
        </Button>
        {can.edit && (
          <ChangeActs>
            <Button variant="subtle" size="xs" onClick={() => setEdited(true)}>
              Edit
            </Button>
            <Button variant="subtle" size="xs" color="red" onClick={deleteView}>
              Delete
            </Button>
          </ChangeActs>
        )}
      </div>
      {isEdited && <SearchDialog kind={kind} search={search} onClose={() => setEdited(false)} />}
    </div>
  )
}
