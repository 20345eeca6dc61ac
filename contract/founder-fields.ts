import { creationFields, type Field, nameField, notesField, ratingField } from './fields.ts'
import { URL_MAX } from './limits.ts'

/** The fields of a founder, in the order shown. */
export const founderFields = [
  nameField,
  {
    name: 'linkedIn',
    label: 'LinkedIn',
    isColumn: true,
    rule: { label: 'LinkedIn profile', max: URL_MAX, example: 'https://www.linkedin.com/in/…', isRequired: true },
    editableBy: ['create', 'import'],
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
    editableBy: ['import'],
    mentioned: 1,
    content: 'prose',
    file: 14,
  },
  {
    name: 'company',
    label: 'company',
    info: 'current_company',
    editableBy: ['import'],
    searched: 3,
    content: 'prose',
    file: 13,
  },
  {
    name: 'bio',
    label: 'bio',
    info: 'bio',
    editableBy: ['import'],
    mentioned: 2,
    content: 'prose',
    file: 20,
  },
  {
    name: 'email',
    label: 'email',
    info: 'email',
    editableBy: ['import'],
    content: 'address',
    file: 15,
    fileLabel: 'E-mail',
  },
  { name: 'website', label: 'website', info: 'website', editableBy: [], content: 'address' },
] as const satisfies readonly Field[]
