import { use } from 'react'

/** A component in a file of its own, fetched when it is first shown, or before. */
export type OwnFile<Part> = { load: () => Promise<Part>; loaded: Part | undefined }

export const ownFile = <Part>(fetch: () => Promise<Part>): OwnFile<Part> => {
  let fetched: Promise<Part> | undefined
  const file: OwnFile<Part> = {
    loaded: undefined,
    load: () => {
      fetched ??= fetch().then(
        (part) => {
          file.loaded = part
          return part
        },
        (failure: unknown) => {
          // Not before whoever waits for it has been told.
          setTimeout(() => {
            fetched = undefined
          }, 1000)
          throw failure
        },
      )
      return fetched
    },
  }
  return file
}

/** What is here already is drawn at once, without a moment of nothing. */
export const useOwnFile = <Part>(file: OwnFile<Part>) => file.loaded ?? use(file.load())
