import { actionsThat, auditActions } from '#contract/audit-actions.ts'
import type { Wording } from '#contract/audit-entry.ts'
import { capital } from '#contract/plain-text.ts'

/** A choice of acts. Actions with the same noun are one; `words` is what a search looks in. */
export type ActChoice = { value: string; label: string; words: string }

/** A sentence about nothing in particular, for its words: `merged into`. */
const plain: Wording = {
  ...{
    of: (word = '') => word,
    at: () => '',
    other: (word = '') => word,
    isEmpty: false,
    isDuplicate: true,
    kind: null,
  },
  ...{ before: {}, after: {}, detail: {}, pipeline: { status: 'passed', stage: 'a stage', responsible: 'a fellow' } },
}

/** The acts that managers read, by noun. The value has the names of the actions, separated by commas. */
export const actChoices: ActChoice[] = [
  ...Map.groupBy(
    actionsThat(({ readers }) => readers !== 'operator'),
    (action) => auditActions[action].noun,
  ),
]
  .map(([noun, actions]) => ({
    value: actions.join(),
    label: capital(noun),
    words: [noun, ...actions.flatMap((action) => [action, auditActions[action].sentence(plain)])]
      .join(' ')
      .toLowerCase(),
  }))
  .sort((one, other) => one.label.localeCompare(other.label, 'en'))

/** Every word of the text is in those of the choice: *merged* finds merges. */
export const isFound = ({ words }: ActChoice, text: string): boolean =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
