import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { kinds } from '#web/kinds.ts'
import { getPipeline } from '#web/pipeline/api.ts'
import { changePipeline } from '#web/pipeline/change-pipeline.ts'
import type { PipelineChange } from '#web/pipeline/words.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { ChangeActs } from '#web/session/change-acts.tsx'
import { useOwner } from '#web/session/use-current-user.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import type { Line } from './api.ts'
import classes from './inbox.module.css'
import { offerTakeBack } from './last-act.ts'
import { refetchInbox } from './marks.ts'

type AgainActsProps = { record: NonNullable<Line['record']> }

/** What becomes of a passed record whose day to look again has come. */
export function AgainActs({ record }: AgainActsProps) {
  const kind = kinds.find(({ name }) => name === record.kind) as RecordKind
  const client = useQueryClient()
  const account = useOwner()
  const [isBusy, setBusy] = useState(false)
  const decide = async (words: string, change: PipelineChange) => {
    setBusy(true)
    try {
      const before = await client.fetchQuery({ ...getPipeline(record.id), staleTime: 0 })
      const saved = await changePipeline(client, { kind, record: { ...record, pipeline: before }, change })
      if (!saved) return
      offerTakeBack(account, `${record.name}: ${words}`, () => {
        const { status, reason, lookAgainOn = null } = before
        const back = { status, lookAgainOn, ...(reason && { reason: { id: reason.id, text: reason.text ?? '' } }) }
        changePipeline(client, { kind, record: { ...record, pipeline: saved }, change: back }).then(() =>
          refetchInbox(client),
        )
      })
      await refetchInbox(client)
    } catch (failure) {
      toasts.failure(failure, 'This could not be changed')
    } finally {
      setBusy(false)
    }
  }
  return (
    <ChangeActs>
      <div className={classes.again}>
        <Button
          variant="light"
          size="xs"
          aria-disabled={isBusy || undefined}
          onClick={() => !isBusy && void decide('active again', { status: 'active' })}
        >
          Active again
          <span className="visually-hidden">: {record.name}</span>
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-disabled={isBusy || undefined}
          onClick={() => !isBusy && void decide('passed for good', { lookAgainOn: null })}
        >
          Pass for good
          <span className="visually-hidden">: {record.name}</span>
        </Button>
      </div>
    </ChangeActs>
  )
}
