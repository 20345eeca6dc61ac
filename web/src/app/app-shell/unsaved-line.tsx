import { UnstyledButton } from '@mantine/core'
import { Link } from 'react-router'
import { capital, withArticle } from '#contract/plain-text.ts'
import { drafts } from '#web/lib/drafts.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { openEdits } from '#web/my-records/edit-draft.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { CopyButton } from '#web/ui/buttons/copy-button.tsx'
import classes from './unsaved-lines.module.css'
import type { Unsaved } from './unsaved-records.ts'

type UnsavedLineProps = {
  line: Unsaved
  account: string
  isGone: boolean
  survivor: RecordRow | undefined
}

/** Leads to what was typed. If its record is gone, the text can be read and copied here. */
export function UnsavedLine({ line, account, isGone, survivor }: UnsavedLineProps) {
  const { kind, about, to } = line
  const subject = about.name.trim() === '' ? `the ${kind.name}` : about.name
  const discard = () => {
    for (const { form } of line.drafts) {
      drafts.discard({ account, form })
      idempotencyKeys.delete({ account, form })
    }
    if (about.what === 'change' && about.id !== undefined) openEdits.end(account, kind, about.id)
    document.querySelector('main')?.focus({ preventScroll: true })
  }
  const text = isGone || survivor ? textOf(line) : undefined
  return (
    <div className={classes.line}>
      <div className={classes.head}>
        <span>
          <Words line={line} />
          {isGone && '. This record has been deleted'}
          {survivor && <Merged name={survivor.name} />}
          {!isGone && about.mergedInto !== undefined && <Merged name={about.mergedInto} />}
        </span>
        <div className={classes.acts}>
          {text === undefined && (
            <Link to={to}>
              Open<span className="visually-hidden"> {nounOf(line, subject)}</span>
            </Link>
          )}
          <UnstyledButton onClick={discard}>
            Discard<span className="visually-hidden"> {nounOf(line, subject)}</span>
          </UnstyledButton>
        </div>
      </div>
      {text !== undefined && (
        <details className={classes.details}>
          <summary>Show the text</summary>
          <p className={classes.text} dir="auto">
            {text}
          </p>
          <CopyButton text={text} label="Copy" of={nounOf(line, subject)} />
        </details>
      )}
    </div>
  )
}

const Words = ({ line: { kind, about } }: { line: Unsaved }) => {
  const name = about.name.trim() === '' ? withArticle(kind.name) : <bdi>{about.name}</bdi>
  if (about.what === 'note') return <>You were writing a note on {name}</>
  if (about.what === 'change') return <>Unsaved change to {name}</>
  return about.name.trim() === '' ? `You were adding ${withArticle(kind.name)}` : <>You were adding {name}</>
}

const Merged = ({ name }: { name: string }) => (
  <>
    , which was merged into <bdi>{name}</bdi>
  </>
)

const nounOf = ({ about: { what } }: Unsaved, subject: string) =>
  what === 'form' ? `the form for ${subject}` : `the ${what} ${what === 'note' ? 'on' : 'to'} ${subject}`

/** All that was typed, each value of a form with its label. */
const textOf = ({ kind, drafts }: Unsaved) =>
  drafts
    .map(({ values }) => {
      if (typeof values === 'string') return values
      const { text, ...others } = values as { text?: string; values?: object }
      const { values: typed = others } = others
      const labelOf = (field: string) => capital(kind.fields.find(({ name }) => name === field)?.label ?? field)
      return (
        text ??
        Object.entries(typed)
          .map(([field, value]) => `${labelOf(field)}: ${value}`)
          .join('\n')
      )
    })
    .join('\n\n')
