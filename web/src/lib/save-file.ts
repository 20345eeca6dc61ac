/** A browser that is busy may read the file only after a while. */
const READ_WITHIN_MS = 60_000

/** Saves a file as a download. */
export function saveFile(file: File) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), READ_WITHIN_MS)
}
