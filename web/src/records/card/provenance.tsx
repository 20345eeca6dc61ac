import type { Field } from '#contract/fields.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { Origins } from './origins.tsx'
import classes from './provenance.module.css'
import { originsOf } from './provenance-words.ts'

type ProvenanceProps = { record: Pick<RecordRow, 'name' | 'enrichment'>; fields: readonly Field[] }

/** One quiet line: that a refresh is running, else which providers gave the data and when. Empty without data. */
export const Provenance = ({ record: { name, enrichment }, fields }: ProvenanceProps) => {
  const { isRunning, sources } = enrichment
  const [newest, ...older] = originsOf(sources, fields)
  if (!isRunning && !newest) return null
  return (
    <div className={classes.root} data-running={isRunning || undefined}>
      {newest && <Origins name={name} origins={[newest, ...older]} />}
      {isRunning && <p className={classes.running}>Updating…</p>}
    </div>
  )
}
