import { Button, NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { ErasureReason } from '#contract/privacy.ts'
import { ApiError } from '#web/lib/http.ts'
import { useRights } from '#web/session/use-rights.ts'
import classes from './overrule.module.css'

/** Why an address is saved although its owner asked not to be kept, most likely first. */
const REASONS: { value: ErasureReason; label: string }[] = [
  { value: 'asked', label: 'The person asked to be added' },
  { value: 'objected', label: 'The person no longer objects' },
  { value: 'no_ground', label: 'There is a ground to keep it now' },
  { value: 'other', label: 'Another reason' },
]

/** The sentence of a refusal because the person asked not to be kept; undefined for any other failure. */
export const notKept = (failure: unknown): string | undefined =>
  failure instanceof ApiError && failure.code === 'do_not_keep' ? failure.error : undefined

type OverruleProps = {
  sentence: string
  /** What the manager does nevertheless, such as *Add anyway*. */
  label: string
  isBusy: boolean
  onOverrule: (reason: ErasureReason) => void
}

/** The sentence of the refusal. A manager chooses a reason and saves the address nevertheless. */
export function Overrule({ sentence, label, isBusy, onOverrule }: OverruleProps) {
  const mayOverrule = useRights()('overrule')
  const [reason, setReason] = useState<ErasureReason>('asked')
  return (
    <div className={classes.root}>
      <p role="alert" className={classes.sentence}>
        {sentence}
      </p>
      {mayOverrule && (
        <div className={classes.act}>
          <NativeSelect
            label="Reason"
            size="sm"
            className={classes.reason ?? ''}
            data={REASONS}
            value={reason}
            disabled={isBusy}
            onChange={({ currentTarget }) =>
              setReason(REASONS.find(({ value }) => value === currentTarget.value)?.value ?? 'other')
            }
          />
          <Button variant="default" size="sm" loading={isBusy} onClick={() => onOverrule(reason)}>
            {label}
          </Button>
        </div>
      )}
    </div>
  )
}
