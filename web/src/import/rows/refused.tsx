import { Text } from '@mantine/core'
import type { Import } from '#contract/import.ts'
import { refusedFile } from '#web/import/api.ts'
import { countOf } from '#web/import/words.ts'
import { DownloadLink } from '#web/ui/buttons/download-link.tsx'

/** A link to the refused rows, if there are any. */
export const Refused = ({ import: shown }: { import: Import }) =>
  shown.counts.refused > 0 && (
    <Text size="sm">
      {countOf(shown.counts.refused, 'row')} {verb(shown)} imported.{' '}
      <DownloadLink path={refusedFile(shown)} inherit underline="always">
        Download refused rows
      </DownloadLink>
      , correct them, and import that file.
    </Text>
  )

const verb = ({ startedAt, counts }: Import) => {
  if (startedAt === null) return 'cannot be'
  return counts.refused === 1 ? 'was not' : 'were not'
}
