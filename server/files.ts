import { extname, join } from 'node:path'

// The only module that knows the paths of files that are read at run time. The build copies them beside the bundle
// under the same paths as they have beside this module, and the bundle keeps this module at its top
// (scripts/bundle.ts).

const isBuilt = !import.meta.filename.endsWith('.ts')

/** A file or folder of `server/`, by its path there. */
export const fileOf = (path: string) => join(import.meta.dirname, path)

/** A program of `server/` that is started by its path, named without its extension. */
export const programOf = (path: string) => fileOf(path + extname(import.meta.filename))

/** The folder of the built page. */
export const PAGE_FOLDER = fileOf(isBuilt ? '../web/' : '../dist/web/')
