import { Anchor, Text } from '@mantine/core'
import type { Import } from '#contract/import.ts'
import { refusedFile } from './api.ts'
import { countOf } from './words.ts'

/** A link to the refused rows, if there are any. */
export const Refused = ({ import: shown }: { import: Import }) =>
  shown.counts.refused > 0 && (
    <Text size="sm">
      {countOf(shown.counts.refused, 'row')} {shown.startedAt === null ? 'cannot be' : 'were not'} imported.{' '}
      <Anchor href={refusedFile(shown)} download inherit underline="always">
        Download refused rows
      </Anchor>
      , correct them, and import that file.
    </Text>
  )
