import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { boardKey } from '#web/pipeline/api.ts'
import { changePipeline } from '#web/pipeline/change-pipeline.ts'
import type { PipelineChange } from '#web/pipeline/words.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import type { Moves } from './moves.ts'

/**
 * Moves a card, whether dragged, carried by keys or sent by its menu. It is shown where it goes and looks busy until the server
 * has moved it; a refused move returns it.
 */
export function useBoardMoves(kind: RecordKind) {
  const client = useQueryClient()
  const [moves, setMoves] = useState<Moves>(new Map())
  const set = (id: string, move: { record: RecordRow; to: string | undefined } | undefined) =>
    setMoves((moves) => {
      const next = new Map(moves)
      if (move) next.set(id, move)
      else next.delete(id)
      return next
    })

  const move = async (record: RecordRow, change: PipelineChange) => {
    if (moves.has(record.id)) return
    const to = change.status === undefined ? (change.stage ?? 'none') : undefined
    const saved = await changePipeline(client, {
      ...{ kind, record, change },
      onSend: () => set(record.id, { record, to }),
    })
    // The card stays where it goes until the fresh board has it there.
    if (saved) await client.invalidateQueries({ queryKey: boardKey })
    set(record.id, undefined)
  }
  return { moves, move }
}
