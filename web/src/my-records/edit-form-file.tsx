import type { RecordRow } from '#web/records/record-row.ts'
import { type OwnFile, ownFile, useOwnFile } from '#web/ui/own-file.ts'
import type { EditFormProps } from './edit-form.tsx'

const editFormFile = ownFile(async () => (await import('./edit-form.tsx')).EditForm)

/** All that the form needs. */
export const loadEditForm = ({ schemas }: { schemas: OwnFile<unknown> }) =>
  Promise.all([editFormFile.load(), schemas.load()])

/** The form is no part of the first screen; it comes in an idle moment, or when it is opened. */
export const EditFormWhenHere = <Row extends RecordRow>(props: EditFormProps<Row>) => {
  const EditForm = useOwnFile(editFormFile)
  return <EditForm {...props} />
}
