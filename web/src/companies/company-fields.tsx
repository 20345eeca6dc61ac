import { Textarea } from '@mantine/core'
import { Company, CompanyInput, CompanyPatch } from '#contract/company.ts'
import { RATING_DEFAULT } from '#contract/limits.ts'
import { NameField, NotesField, RatingField } from '#web/records/card/record-fields.tsx'
import { AddressField } from '#web/records/form/address-field.tsx'
import type { FieldsProps, RecordForm } from '#web/records/form/record-form.ts'

/** The fields of a company, for adding and editing. */
const CompanyFields = (props: FieldsProps) => (
  <>
    {props.mode === 'add' && (
      <>
        <NameField {...props} />
        <AddressField
          {...props}
          name="website"
          label="Website (optional)"
          description="The full address, such as https://www.example.com"
        />
        <Textarea
          label="Description (optional)"
          description="What the company does, in a sentence or two."
          autoCapitalize="sentences"
          enterKeyHint="enter"
          classNames={{ input: 'growing' }}
          {...props.form.getInputProps('description')}
        />
      </>
    )}
    <NotesField {...props} description="How you found it and what stands out. Everyone on the platform can read it." />
    <RatingField {...props} />
  </>
)

export const companyForm: RecordForm = {
  Record: Company,
  Input: CompanyInput,
  Patch: CompanyPatch,
  empty: { name: '', website: '', description: '', notes: '', rating: RATING_DEFAULT } satisfies CompanyInput,
  Fields: CompanyFields,
}
