import { lazy } from 'react'
import type { EditForm as Form } from './edit-form.tsx'

export const importEditForm = () => import('./edit-form.tsx')

/** The form is no part of the first screen; it comes in an idle moment, or when it is opened. */
export const EditForm = lazy(async () => ({ default: (await importEditForm()).EditForm })) as unknown as typeof Form
