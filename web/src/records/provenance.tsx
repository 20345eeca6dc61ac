import { formatAgo } from '#web/lib/dates.ts'
import { Origins } from './origins.tsx'
import classes from './provenance.module.css'
import { type FieldLabels, originsOf } from './provenance-words.ts'
import type { RecordRow } from './record-row.ts'

type ProvenanceProps = { record: Pick<RecordRow, 'name' | 'enrichment'>; labels: FieldLabels }

/** One quiet line: that outside data is being looked up, else who gave it and when, else why there is none. */
export const Provenance = ({ record: { name, enrichment }, labels }: ProvenanceProps) => {
  const { isRunning, sources, lastRun } = enrichment
  const [newest, ...older] = originsOf(sources, labels)
  const notice = lastRun?.notice ? `Looked up ${formatAgo(lastRun.at)}: ${lastRun.notice}` : undefined
  if (!isRunning && !newest && !notice) return null
  return (
    <div className={classes.root} data-running={isRunning || undefined}>
      {newest ? <Origins name={name} origins={[newest, ...older]} notice={notice} /> : notice && <p>{notice}</p>}
      {isRunning && <p className={classes.running}>Being enriched…</p>}
    </div>
  )
}
