import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Radio, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import type { Import } from '#contract/import.ts'
import { type ImportKindName, importKindNamed, importKinds } from '#contract/import-kinds.ts'
import { Sample } from '#web/import/columns/sample.tsx'
import { useOptions } from '#web/import/columns/use-options.ts'
import classes from '#web/import/import.module.css'
import { ImportProgress } from '#web/import/progress.tsx'
import { StepForm } from '#web/import/step-form.tsx'
import type { StepProps } from '#web/import/steps.tsx'
import { encodingLabels } from '#web/import/words.ts'
import { getRights } from '#web/session/api.ts'
import { DialectFields } from './dialect-fields.tsx'

/** The second step: the kind of the rows and the format of the file. Each change is sent, and the sample follows. */
export function DialectStep({ import: shown, goTo, close }: StepProps) {
  const { options, change, error, isBusy } = useOptions(shown)
  const isUnread = shown.state === 'failed'
  const { data: rights } = useQuery(getRights)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isUnread) change({ dialect: options.dialect })
    else goTo('columns')
  }

  return (
    <StepForm
      submit={submit}
      label={isUnread ? 'Read again' : 'Continue'}
      isBusy={isBusy}
      back={close}
      backLabel="Choose another file"
      isBackFilled={isUnread}
      error={error}
      problem={error ? undefined : shown.error}
    >
      <div className={classes.halves}>
        <div className={classes.fields}>
          {(isUnread ? [] : doubtsOf(shown)).map((sentence) => (
            <Text key={sentence} size="sm" className={classes.doubt ?? ''}>
              {sentence}
            </Text>
          ))}
          <Radio.Group
            label="Each row is a"
            value={options.kind}
            onChange={(value) => change({ kind: value as ImportKindName })}
          >
            {importKinds
              .filter(({ right }) => !right || rights?.[right].allowed)
              .map(({ name, label }) => (
                <Radio key={name} value={name} label={label} iconColor="var(--on-filled)" mt="xs" />
              ))}
          </Radio.Group>
          <DialectFields value={options.dialect} onChange={(dialect) => change({ dialect })} />
        </div>
        <div className={classes.fields}>
          {shown.doubts.encoding !== undefined && (
            <Text size="sm">
              A line of the file: <bdi className={classes.decoded}>{shown.doubts.encoding}</bdi>
            </Text>
          )}
          {!isUnread && <Sample import={shown} isOld={isBusy} />}
        </div>
      </div>
      {shown.state === 'reading' && <ImportProgress import={shown} />}
    </StepForm>
  )
}

/** What to look at, a sentence for each doubt. */
function doubtsOf({ doubts, kind, dialect }: Import): string[] {
  const sentences = [
    doubts.kind && `We could not tell what the rows are, and guessed ${importKindNamed(kind).path}.`,
    doubts.dialect &&
      (dialect.format !== 'jsonl' && dialect.headerRow === 0
        ? 'This file seems to have no row of column names, so its first row is data. Compare the sample.'
        : dialect.format === 'xlsx'
          ? 'We are not sure which sheet and row hold the column names. Compare the sample.'
          : 'We are not sure how the values are separated, or which row holds the column names. Compare the sample.'),
    doubts.encoding !== undefined &&
      dialect.format !== 'jsonl' &&
      (dialect.encoding === 'utf-8-twice'
        ? 'Letters of this file were encoded twice, such as Ã© for é. We read them as they should be. Check the line, or choose UTF-8 to keep them as they are.'
        : dialect.format === 'csv' &&
          `This file is not in Unicode. We read it as ${encodingLabels[dialect.encoding]}. Check that letters with accents look right.`),
  ]
  return sentences.filter((sentence) => typeof sentence === 'string')
}
