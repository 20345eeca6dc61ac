import { statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Whether any user may enter the folder: a service without root rights has to reach its code. */
export const isOpenToAll = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || isOpenToAll(dirname(folder)))
