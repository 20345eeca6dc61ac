import { Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Import } from '#contract/import.ts'
import classes from './import.module.css'

const steps = [
  { name: 'file', label: 'File' },
  { name: 'kind', label: 'Format' },
  { name: 'columns', label: 'Columns' },
  { name: 'preview', label: 'Preview' },
  { name: 'done', label: 'Done' },
] as const

export type StepName = (typeof steps)[number]['name']

/** The props of each step of an import. */
export type StepProps = { import: Import; goTo: (step: StepName) => void; close: () => void }

type StepsProps = {
  current: StepName
  title: string
  /** The file, below the title. */
  subtitle?: ReactNode
  /** Opens an earlier step; undefined when none can be reopened. */
  goTo: ((step: StepName) => void) | undefined
  children: ReactNode
}

/** The list of steps, and the content of the current one. */
export function Steps({ current, title, subtitle, goTo, children }: StepsProps) {
  const at = steps.findIndex(({ name }) => name === current)
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(current)

  // Keyboard and screen reader continue at the new step.
  useEffect(() => {
    if (shown.current === current) return
    shown.current = current
    heading.current?.focus()
  }, [current])

  return (
    <>
      <ol className={classes.steps} aria-label="Steps">
        {steps.map(({ name, label }, index) => (
          <li key={name} className={classes.step} aria-current={name === current ? 'step' : undefined}>
            <span className={classes.number} aria-hidden="true">
              {index + 1}
            </span>
            {goTo && index > 0 && index < at ? (
              <button type="button" className={classes.back} onClick={() => goTo(name)}>
                {label}
              </button>
            ) : (
              <span>{label}</span>
            )}
          </li>
        ))}
      </ol>
      <div>
        <Title order={2} size="h3" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {subtitle && (
          <Text size="sm" c="dimmed" className={classes.subtitle ?? ''}>
            {subtitle}
          </Text>
        )}
      </div>
      <div className={classes.content}>{children}</div>
    </>
  )
}
