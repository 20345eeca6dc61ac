import { companyFields } from './company-fields.ts'
import type { Field } from './fields.ts'
import { founderFields } from './founder-fields.ts'
import type { KindName } from './kinds.ts'

/** The declared fields of each kind. */
export const kindFields = { founder: founderFields, company: companyFields } satisfies Record<
  KindName,
  readonly Field[]
>

/** A field of any kind. */
export type KindField = (typeof kindFields)[KindName][number]

/** All of them, kind by kind. */
export const allFields: readonly KindField[] = Object.values(kindFields).flat()
