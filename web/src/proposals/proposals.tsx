import { Button } from '@mantine/core'
import { IconForms } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { proposed } from '#contract/filled.ts'
import { capital } from '#contract/plain-text.ts'
import { ApiError } from '#web/lib/http.ts'
import { getRecord } from '#web/records/api.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { correctableBy, type FilledLink } from './links.ts'
import classes from './proposals.module.css'
import { useProposals } from './use-proposals.ts'

/** What a link proposes, one form each. Nothing is saved here. */
export function Proposals() {
  const { proposals, left, open, clear } = useProposals()
  if (proposals.length === 0)
    return (
      <EmptyState
        icon={<IconForms size={28} stroke={1.5} />}
        title="No proposals"
        text="A link with proposals opens here. None is kept for longer than half a day."
      />
    )
  return (
    <section className={classes.root} aria-label="Proposals">
      <p className={classes.quiet}>
        Filled in by a link. Open each form, read it and change it. Nothing is saved before you press its own button.
      </p>
      <ol className={classes.list}>
        {proposals.map((link, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
          <li key={place} className={classes.item}>
            <div className={classes.what}>
              <Subject link={link} />
              <p className={classes.values}>
                <bdi>{valuesOf(link)}</bdi>
              </p>
            </div>
            <Button variant="default" size="xs" onClick={() => open(place)}>
              Open<span className="visually-hidden"> proposal {place + 1}</span>
            </Button>
          </li>
        ))}
      </ol>
      {left > 0 && (
        <p className={classes.quiet}>
          {left === 1 ? 'One address leads' : `${left} addresses lead`} to no form here, and was left out.
        </p>
      )}
      <Button variant="default" className={classes.clear ?? ''} onClick={clear}>
        Set all aside
      </Button>
    </section>
  )
}

const Subject = ({ link }: { link: FilledLink }) =>
  link.id === null ? (
    <p className={classes.name}>
      Add {link.kind.name}: <bdi>{link.values.name ?? ''}</bdi>
    </p>
  ) : (
    <RecordSubject kind={link.kind} id={link.id} />
  )

function RecordSubject({ kind, id }: { kind: FilledLink['kind']; id: string }) {
  const { data, error } = useQuery(getRecord(kind, id))
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <p className={classes.name}>
      <bdi>{data?.name ?? (isGone ? `This ${kind.name} has been deleted` : kind.label)}</bdi>
    </p>
  )
}

const LABELS: Record<(typeof proposed)[number], string> = {
  ...{ note: 'Note', stage: 'Stage', tag: 'Tag', step: 'Next step', on: 'On' },
}

/** `Stage: Met · Tag: Demo day`. */
function valuesOf({ kind, id, values }: FilledLink): string {
  const fields = new Map(correctableBy(kind).map(({ name, label }) => [name, capital(label)]))
  const labelOf = (name: string) => LABELS[name as keyof typeof LABELS] ?? fields.get(name) ?? capital(name)
  return Object.entries(values)
    .filter(([name]) => id !== null || name !== 'name')
    .map(([name, value]) => `${labelOf(name)}: ${value}`)
    .join(' · ')
}
