import { creationFields, type Field, nameField, notesField, ratingField } from './fields.ts'
import { DESCRIPTION_MAX, URL_MAX } from './limits.ts'

/** The fields of a company, in the order shown. No form has its LinkedIn page, but imported files have it. */
export const companyFields = [
  nameField,
  {
    name: 'website',
    label: 'website',
    isColumn: true,
    isFound: true,
    rule: { label: 'Website', max: URL_MAX, example: 'https://example.com' },
    editableBy: ['create', 'import'],
    content: 'address',
    file: 3,
  },
  { name: 'linkedIn', label: 'LinkedIn', isColumn: true, isFound: true, editableBy: [], content: 'address', file: 2 },
  notesField,
  ratingField,
  ...creationFields,
  {
    name: 'industry',
    label: 'industry',
    info: 'industry',
    editableBy: ['import'],
    mentioned: 1,
    content: 'prose',
    file: 17,
  },
  { name: 'employees', label: 'employees', info: 'employee_count', editableBy: ['import'], file: 19 },
  { name: 'founded', label: 'founded', info: 'founded_year', editableBy: ['import'], file: 18 },
  {
    name: 'place',
    label: 'headquarters',
    info: 'headquarters',
    editableBy: ['import'],
    content: 'prose',
    file: 16,
    fileLabel: 'Place',
  },
  {
    name: 'description',
    label: 'description',
    isColumn: true,
    info: 'description',
    rule: { label: 'Description', max: DESCRIPTION_MAX },
    editableBy: ['create', 'import'],
    mentioned: 2,
    content: 'prose',
    file: 4,
  },
] as const satisfies readonly Field[]
