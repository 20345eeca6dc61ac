import { StartupError } from '#server/startup-error.ts'

/** The folder is unusable: in use, not writable, or written by another version. The message is for a person. */
export class FolderError extends StartupError {
  override name = 'FolderError'
}

/** Another process, or this one, has the folder open. */
export class FolderInUse extends FolderError {
  override name = 'FolderInUse'
}
