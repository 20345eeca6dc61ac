import type { ImportKindName } from '#contract/import-kinds.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { ImportTarget } from '#server/import/target.ts'
import { noteTarget } from './notes/target.ts'
import { recordTarget } from './record-target.ts'

/** What the rows of a file can become. */
export const createTargets = (kinds: EnrichedKind[]): ImportTarget[] => [...kinds.map(recordTarget), noteTarget(kinds)]

export const targetNamed = (targets: ImportTarget[], name: ImportKindName): ImportTarget =>
  targets.find((target) => target.name === name) as ImportTarget
