import type { KeyboardEvent } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { onConfirm } from '#web/ui/dialogs/confirm.ts'
import { createCancel } from './cancel-form.ts'

const key = (key: string) => ({ key }) as KeyboardEvent

describe('Cancel and Escape', () => {
  let [asked, cancelled, isSure] = [0, 0, true]
  beforeEach(() => {
    ;[asked, cancelled, isSure] = [0, 0, true]
    onConfirm(({ question, answer }) => {
      asked += 1
      answer(isSure ? question.answers.at(-1)?.label : undefined)
    })
  })
  const count = () => {
    cancelled += 1
  }
  const form = (options: { isTyped: boolean; isBusy?: boolean }) =>
    createCancel({ ...options, isTyped: () => options.isTyped, onCancel: count })

  it('leave an unchanged form immediately', async () => {
    await form({ isTyped: false }).cancel()
    form({ isTyped: false }).cancelOnEscape(key('Escape'))
    expect([asked, cancelled]).toEqual([0, 2])
  })

  it('ask before they leave a form with typed text', async () => {
    isSure = false
    await form({ isTyped: true }).cancel()
    expect([asked, cancelled]).toEqual([1, 0])
    isSure = true
    form({ isTyped: true }).cancelOnEscape(key('Escape'))
    await Promise.resolve()
    expect([asked, cancelled]).toEqual([2, 1])
  })

  it('are ignored on other keys, and while the form is being sent', () => {
    form({ isTyped: false }).cancelOnEscape(key('Enter'))
    form({ isTyped: false, isBusy: true }).cancelOnEscape(key('Escape'))
    expect([asked, cancelled]).toEqual([0, 0])
  })
})
