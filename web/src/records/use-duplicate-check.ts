import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isWebAddress } from '#contract/plain-text.ts'
import type { duplicateQuery } from './api.ts'

/** In milliseconds: how long after the last key an address is checked. Leaving the field checks it at once. */
const RESTS_AFTER = 400

/** The record that already has the address in a field. Call `leave` with its text when the field loses the focus. */
export const useDuplicateCheck = (
  find: (address: string) => ReturnType<typeof duplicateQuery>,
  text: string | number | undefined,
) => {
  const address = String(text).trim()
  const [rested] = useDebouncedValue(address, RESTS_AFTER)
  const [left, setLeft] = useState('')
  const isTyped = address === rested || address === left
  const { data } = useQuery({ ...find(address), enabled: isTyped && isWebAddress(address) })
  return { duplicate: isTyped ? data : undefined, leave: (text: string) => setLeft(text.trim()) }
}
