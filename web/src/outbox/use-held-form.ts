import { useEffect, useState } from 'react'
import { holdFormLock } from './lock.ts'
import { type WaitingForm, waitingForms } from './waiting-forms.ts'

/** A waiting form, held while it is edited. Undefined until this tab holds it, null if it is gone. */
export function useHeldForm(account: string, id: string): WaitingForm | null | undefined {
  const [form, setForm] = useState<WaitingForm | null>()
  useEffect(() => {
    const end = new AbortController()
    holdFormLock(account, id, end.signal, () => setForm(waitingForms.get(account, id) ?? null))
    return () => end.abort()
  }, [account, id])
  return form
}
