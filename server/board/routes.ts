import { BoardQuery, board } from '#contract/board.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import { anyRecord, type PresentedKind } from '#server/lists/present.ts'
import { refusal, rights } from '#server/rights.ts'
import type { Services } from '#server/services.ts'
import { getBoard } from './board.ts'

export function boardRoutes(app: App, { db, secret }: Services, kinds: readonly PresentedKind[]) {
  app.get(
    '/pipeline',
    head({
      ...{ operationId: 'getBoard', summary: 'Get the board: the records of a kind by stage', tag: 'Pipeline' },
      query: BoardQuery,
      answers: { 200: board(anyRecord(kinds)) },
      // A cohort of the programme's figures.
      refusals: [refusal(rights.programme)],
    }),
    async (request) => {
      const caller = callerOf(request)
      const kind = kinds.find(({ name }) => name === request.query.kind) as PresentedKind
      const columns = await getBoard({ db, secret }, kind, caller, request.query)
      return columns.map(({ rows, ...column }) => ({
        ...column,
        records: rows.map((row) => kind.present(caller, row)),
      }))
    },
  )
}
