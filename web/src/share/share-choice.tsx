import { Button, Group, Paper, Text } from '@mantine/core'
import { useNavigate, useSearchParams } from 'react-router'
import { withArticle } from '#contract/plain-text.ts'
import { kinds } from '#web/kinds.ts'
import { addPath } from '#web/paths.ts'
import { linkValues } from '#web/records/form/link-values.ts'
import { sharedIn, valuesFor } from './shared.ts'

/** Shows the shared data of another app, and offers the forms that it can fill in. */
export const ShareChoice = () => {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const shared = sharedIn(query)
  return (
    <Paper withBorder className="form">
      <div>
        {[shared.title, shared.address, shared.text].filter(Boolean).map((part) => (
          <Text key={part} size="sm" lineClamp={4}>
            <bdi>{part}</bdi>
          </Text>
        ))}
      </div>
      <Group gap="xs">
        {kinds.map((kind) => (
          <Button
            key={kind.name}
            variant="light"
            onClick={() => {
              linkValues.keep(kind, valuesFor(kind, shared))
              void navigate(addPath(kind), { replace: true })
            }}
          >
            {`Add as ${withArticle(kind.name)}`}
          </Button>
        ))}
      </Group>
      <Text size="sm" c="dimmed">
        Opens the form with these values. Nothing is saved before you add it.
      </Text>
    </Paper>
  )
}
