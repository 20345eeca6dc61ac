import { editableFields, type Field, isProse, storedFields } from '#contract/fields.ts'

// How the page arranges the fields that a kind declares.

/** The name of a field as its form has it. */
export const labelOf = ({ label, rule }: Field) => rule?.label ?? label

export const isCorrectable = ({ editableBy }: Field) => editableBy.includes('patch')

/** Whether a value is always there. */
export const isRequired = ({ name, rule }: Field) => name === 'name' || rule?.isRequired === true

/** The fields below the name: facts in a row, addresses in a row, and prose. */
export function arranged(fields: readonly Field[]) {
  const shown = storedFields(fields).filter(
    (field) => field.name !== 'name' && field.content !== 'picture' && !editableFields([field], 'put').length,
  )
  return {
    addresses: shown.filter(({ content }) => content === 'address'),
    prose: shown.filter(isProse),
    facts: shown.filter((field) => field.content !== 'address' && !isProse(field)),
  }
}
