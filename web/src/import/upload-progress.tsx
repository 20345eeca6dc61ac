import '@mantine/core/styles/Progress.css'
import { Button, Progress, Text } from '@mantine/core'
import { focusWhenLost } from '#web/ui/focus.ts'
import classes from './import.module.css'

type UploadProgressProps = { name: string; share: number; onCancel: () => void }

/** The progress of an upload. Once the file has arrived, the server looks at it. */
export const UploadProgress = ({ name, share, onCancel }: UploadProgressProps) => (
  <div className={classes.upload}>
    <Text role="status" tabIndex={-1} ref={focusWhenLost}>
      {share < 1 ? 'Uploading' : 'Checking'} <bdi>{name}</bdi>
    </Text>
    <Progress value={100 * share} aria-label="Upload" animated={share >= 1} w="100%" />
    <Text size="sm" c="dimmed">
      {Math.floor(100 * share)} %
    </Text>
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
  </div>
)
