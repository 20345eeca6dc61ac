import { useDrag, useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'

/** Pixels from which a swipe acts, and before which it is none. */
const ACTS_FROM = 96
const BEGINS_FROM = 12

type Swipes = { onRight: (() => void) | undefined; onLeft: (() => void) | undefined }

/** Swipes on touch. `shift` is how far the element is moved. */
export function useSwipe({ onRight, onLeft }: Swipes) {
  const [shift, setShift] = useState(0)
  const isTouch = useMediaQuery('(pointer: coarse)') ?? false
  const { ref } = useDrag<HTMLElement>(
    ({ movement: [x], last, canceled }) => {
      const act = x > 0 ? onRight : onLeft
      setShift(last || !act ? 0 : x)
      if (last && !canceled && Math.abs(x) >= ACTS_FROM) act?.()
    },
    { axis: 'lock', threshold: BEGINS_FROM, enabled: isTouch },
  )
  return { ref, shift }
}
