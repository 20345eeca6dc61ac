import { Founder, FounderInput, FounderPatch } from '#contract/founder.ts'
import { RATING_DEFAULT } from '#contract/limits.ts'
import { NameField, NotesField, RatingField } from '#web/records/card/record-fields.tsx'
import { AddressField } from '#web/records/form/address-field.tsx'
import type { FieldsProps, RecordForm } from '#web/records/form/record-form.ts'

/** The fields of a founder, for adding and editing. */
const FounderFields = (props: FieldsProps) => (
  <>
    {props.mode === 'add' && (
      <>
        <NameField {...props} />
        <AddressField
          {...props}
          name="linkedIn"
          label="LinkedIn profile"
          description="The full address, such as https://www.linkedin.com/in/ada-lovelace"
          required
        />
      </>
    )}
    <NotesField {...props} description="How you met and what stands out. Everyone on the platform can read it." />
    <RatingField {...props} />
  </>
)

export const founderForm: RecordForm = {
  Record: Founder,
  Input: FounderInput,
  Patch: FounderPatch,
  empty: { name: '', linkedIn: '', notes: '', rating: RATING_DEFAULT } satisfies FounderInput,
  Fields: FounderFields,
}
