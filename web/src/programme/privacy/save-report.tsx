import { Button, Paper, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { AccessReport } from '#contract/privacy.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { reportPage } from './report-page.ts'

const save = (name: string, type: string, text: string) => saveFile(new File([text], name, { type }))

/** The report as a page to read and print, and as data. */
export function SaveReport({ report }: { report: AccessReport }) {
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <Paper component="section" withBorder p="lg" className="stack-12" aria-label="Report">
      <Title order={2} size="h4">
        Report
      </Title>
      <p role="status">The report is ready. The page is for reading and printing, the data for other programs.</p>
      <div>
        <Button
          ref={first}
          variant="default"
          onClick={() => save('access-report.html', 'text/html', reportPage(report))}
        >
          Save the page
        </Button>{' '}
        <Button
          variant="default"
          onClick={() => save('access-report.json', 'application/json', JSON.stringify(report, null, 2))}
        >
          Save the data
        </Button>
      </div>
    </Paper>
  )
}
