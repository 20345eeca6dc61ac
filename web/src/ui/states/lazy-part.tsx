import { Button } from '@mantine/core'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { isReachable } from '#web/lib/http.ts'
import { focusWhenShown } from '#web/ui/focus.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import classes from './lazy-part.module.css'

type LazyPartProps = {
  /** Shown while the script loads. */
  fallback?: ReactNode
  /** Called by Close where the part was opened by a button: the sentence then lies above the page and has the focus. */
  onCloseFailed?: () => void
}

/**
 * A part of a screen, the script of which is loaded when it is first shown. If that fails, `failed` says so, with *Try
 * again*.
 */
export function lazyPart<Props extends object>(failed: string, load: () => Promise<ComponentType<Props>>) {
  const createPart = (): ComponentType<Props> => lazy(async () => ({ default: await load() }))
  let Part = createPart()
  /** Then it is shown at once, and takes the next key. */
  const preload = () =>
    void load().then(
      (Loaded) => {
        Part = Loaded
      },
      () => undefined,
    )
  function LazyPart({ fallback, onCloseFailed, ...props }: LazyPartProps & Props) {
    const [attempt, setAttempt] = useState({ number: 0, Part })
    const retry = async () => {
      try {
        await load()
        Part = createPart()
        setAttempt({ number: attempt.number + 1, Part })
      } catch {
        // After an update of the product the script has another name, which only a new page knows.
        if (await isReachable()) location.reload()
      }
    }
    const close = () => {
      // The next opening tries again.
      Part = createPart()
      onCloseFailed?.()
    }
    return (
      <ErrorBoundary
        key={attempt.number}
        fallback={<Failed text={failed} retry={retry} onClose={onCloseFailed && close} />}
      >
        <Suspense fallback={fallback}>
          <attempt.Part {...(props as unknown as Props)} />
        </Suspense>
      </ErrorBoundary>
    )
  }
  return Object.assign(LazyPart, { preload })
}

type FailedProps = { text: string; retry: () => Promise<void>; onClose: (() => void) | undefined }

function Failed({ text, retry, onClose }: FailedProps) {
  const [isBusy, setBusy] = useState(false)
  const tryAgain = async () => {
    setBusy(true)
    await retry()
    setBusy(false)
  }
  return (
    <div
      role="alert"
      className={classes.failed}
      data-above={onClose ? true : undefined}
      onKeyDown={({ key }) => key === 'Escape' && onClose?.()}
    >
      <span>{text}</span>
      <Button ref={onClose ? focusWhenShown : null} variant="default" size="xs" aria-busy={isBusy} onClick={tryAgain}>
        Try again
      </Button>
      {onClose && (
        <Button variant="subtle" size="xs" onClick={onClose}>
          Close
        </Button>
      )}
    </div>
  )
}
