import { type FormErrors, useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { email, password, personName, type SmartAuthAnswer } from '#contract/auth.ts'
import { delay } from '#web/lib/delay.ts'
import { ApiError } from '#web/lib/http.ts'
import { toasts } from '#web/ui/toasts.tsx'
import { checkUser, replaceSession, smartAuth } from './api.ts'

export type AuthStep = 'email' | 'login' | 'signup'
type AuthField = 'email' | 'password' | 'name'

const WAIT_AFTER_SUCCESS = 500

const rules = {
  email: z.object({ email }),
  login: z.object({ email, password }),
  signup: z.object({ email, name: personName, password }),
}

/** The auth screen's three steps: what is typed, which step it is, and what submitting does there. */
export const useAuthSteps = () => {
  const client = useQueryClient()
  const [step, setStep] = useState<AuthStep>('email')
  const form = useForm<Record<AuthField, string>>({ initialValues: { email: '', password: '', name: '' } })
  const check = useMutation(checkUser)
  const authenticate = useMutation({
    ...smartAuth,
    onSuccess: async ({ action, user }: SmartAuthAnswer) => {
      toasts.success(action === 'signup' ? 'Account created successfully!' : 'Welcome back!')
      await delay(WAIT_AFTER_SUCCESS)
      await replaceSession(client, { user })
    },
  })

  const showErrors = (errors: FormErrors, otherwise?: AuthField) => {
    form.setErrors(errors)
    const field = (['email', 'name', 'password'] as const).find((name) => errors[name]) ?? otherwise
    if (field) form.getInputNode(field)?.focus()
  }

  const nextFrom = (input: { email: string }) =>
    check.mutate(input.email, {
      onSuccess: ({ action }) => {
        toasts.inform(action === 'login' ? 'Please enter your password' : 'Create your account')
        setStep(action)
      },
      onError: (failure) => showErrors(failure instanceof ApiError ? failure.fields : {}, 'email'),
    })

  const enter = (input: { email: string; password: string; name?: string }) =>
    authenticate.mutate(input, {
      onError: (failure) => {
        if (failure instanceof ApiError && failure.action === 'signup_required') {
          toasts.inform('Please create an account first')
          return setStep('signup')
        }
        toasts.failure(failure, 'Authentication failed')
        showErrors(failure instanceof ApiError ? failure.fields : {}, 'password')
      },
    })

  const submit = () => {
    const { email, password, name } = form.values
    const values = step === 'email' ? { email } : step === 'login' ? { email, password } : { email, password, name }
    const checked = rules[step].safeParse(values)
    form.clearErrors()
    if (!checked.success) return showErrors(firstSentences(checked.error))
    if (step === 'email') nextFrom(values)
    else enter({ ...values, password })
  }

  return {
    step,
    form,
    isBusy: check.isPending || authenticate.isPending,
    submit,
    startAgain: () => {
      form.setValues({ password: '', name: '' })
      form.clearErrors()
      setStep('email')
    },
  }
}

export type AuthSteps = ReturnType<typeof useAuthSteps>

const firstSentences = (error: z.ZodError): FormErrors =>
  Object.fromEntries([...error.issues].reverse().map((issue) => [issue.path[0], issue.message]))
