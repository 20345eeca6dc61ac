import { creationFields, type Field, nameField, notesField, ratingField } from './fields.ts'
import { DESCRIPTION_MAX, EMAIL_MAX, FACT_MAX, URL_MAX } from './limits.ts'

/** The fields of a founder, in the order shown. */
export const founderFields = [
  nameField,
  {
    name: 'linkedIn',
    label: 'LinkedIn',
    isColumn: true,
    rule: { label: 'LinkedIn profile', max: URL_MAX, example: 'https://www.linkedin.com/in/…', isRequired: true },
    editableBy: ['create', 'patch', 'import'],
    content: 'address',
    file: 2,
  },
  notesField,
  ratingField,
  ...creationFields,
  { name: 'picture', label: 'picture', info: 'profile_picture_url', editableBy: [], content: 'picture' },
  {
    name: 'title',
    label: 'title',
    info: 'current_title',
    rule: { label: 'Title', max: FACT_MAX },
    editableBy: ['patch', 'import'],
    content: 'prose',
    file: 14,
  },
  {
    name: 'company',
    label: 'company',
    info: 'current_company',
    rule: { label: 'Company', max: FACT_MAX },
    editableBy: ['patch', 'import'],
    searched: 3,
    content: 'prose',
    file: 13,
  },
  {
    name: 'bio',
    label: 'bio',
    info: 'bio',
    rule: { label: 'Bio', max: DESCRIPTION_MAX },
    editableBy: ['patch', 'import'],
    content: 'prose',
    file: 20,
  },
  {
    name: 'email',
    label: 'email',
    info: 'email',
    rule: { label: 'Email', max: EMAIL_MAX, reads: 'email' },
    editableBy: ['patch', 'import'],
    content: 'address',
    file: 15,
    fileLabel: 'E-mail',
  },
  { name: 'website', label: 'website', info: 'website', editableBy: [], content: 'address' },
] as const satisfies readonly Field[]
