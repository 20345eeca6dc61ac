import { type FormErrors, useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { z } from 'zod'
import { code, email, password, personName, type SmartAuthAnswer } from '#contract/auth.ts'
import { delay } from '#web/lib/delay.ts'
import { ApiError, sentenceOf } from '#web/lib/http.ts'
import { deleteLinkToken, linkTokenAt } from '#web/lib/link-token.ts'
import { paths } from '#web/paths.ts'
import { getCurrentUser, replaceSession } from '#web/session/api.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { checkUser, enterCode, smartAuth } from './api.ts'
import { newPassword } from './links/new-password.ts'
import { awaitedAddress } from './sign-up/awaited-address.ts'
import { ssoRefusal } from './sign-up/sso-refusal.ts'

type AuthStep = 'email' | 'login' | 'signup' | 'check-mail' | 'approval' | 'code'
/** What a browser history entry of this screen holds. */
export type AuthState = { email?: string; from?: string; step?: AuthStep; visit?: string } | null
type AuthField = 'email' | 'password' | 'name' | 'code'

const WAIT_AFTER_SUCCESS = 500

const rules = {
  email: z.object({ email }),
  login: z.object({ email, password }),
  signup: z.object({ email, name: personName, password: newPassword }),
  code: z.object({ code }),
}

const MAILED = 'Open the link that we sent you to confirm this address.'
const NOT_MAILED = 'We could not send the mail. Request it again in a few minutes.'

/** The steps of the auth screen: the current step, the typed values, and the submit actions. */
export const useAuthSteps = () => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { state }: { state: AuthState } = useLocation()
  const [address] = useSearchParams()
  // A reload keeps the browser's history, but not what was typed.
  const [visit] = useState(() => String(Math.random()))
  const step = state?.visit === visit && state.step ? state.step : 'email'
  const [last, setLast] = useState(step)
  /** The second click of a double click would leave the screen. */
  const isLeaving = useRef(false)
  const [slides, setSlides] = useState<'forward' | 'back'>()
  if (step !== last) {
    setLast(step)
    setSlides(step === 'email' ? 'back' : 'forward')
  }
  /** Each step is one of the browser's history. Those after the address replace each other, so Back leads to the address. */
  const setStep = (next: AuthStep) => {
    setRefusalSeen(true)
    void navigate(paths.auth, { state: { ...state, step: next, visit }, replace: step !== 'email' })
  }
  const [notice, setNotice] = useState('')
  const [isRefusalSeen, setRefusalSeen] = useState(false)
  const invitation = linkTokenAt(paths.auth) || undefined
  const form = useForm<Record<AuthField, string>>({
    initialValues: { email: emailIn(state), password: '', name: '', code: '' },
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: on the way back to the address only
  useEffect(() => {
    if (step !== 'email') return
    isLeaving.current = false
    form.setValues({ password: '', name: '', code: '' })
    form.clearErrors()
  }, [step])

  const completeSignIn = async (welcome: string) => {
    // The link to a new address waits for this sign-in.
    if (invitation !== undefined) deleteLinkToken()
    toasts.clear()
    toasts.success(welcome)
    const [session] = await Promise.all([getCurrentUser(), delay(WAIT_AFTER_SUCCESS)])
    await replaceSession(client, session)
  }

  const checkEmail = (notice: string) => {
    awaitedAddress.keep(form.values.email)
    setNotice(notice)
    setStep('check-mail')
  }

  const check = useMutation(checkUser)
  const authenticate = useMutation({
    ...smartAuth,
    onSuccess: (answer: SmartAuthAnswer) => {
      if (answer.action === 'two_factor') return setStep('code')
      if (answer.action === 'verify_email') return checkEmail(answer.isMailed ? MAILED : NOT_MAILED)
      if (answer.action === 'approval_pending') return setStep('approval')
      return completeSignIn(answer.action === 'signup' ? 'Account created successfully!' : 'Welcome back!')
    },
  })
  const submitCode = useMutation({ ...enterCode, onSuccess: () => completeSignIn('Welcome back!') })

  const showErrors = (errors: FormErrors, otherwise?: AuthField) => {
    form.setErrors(errors)
    const field = (['email', 'name', 'password', 'code'] as const).find((name) => errors[name]) ?? otherwise
    if (field) form.getInputNode(field)?.focus()
  }

  /** Shows an error at its field when the server refused the typed value, else in a toast. */
  const showFailure = (failure: unknown, otherwise: string, field: AuthField) => {
    const { status, fields, error } = failure instanceof ApiError ? failure : new ApiError(0, {})
    const isRefused = status >= 400 && status < 500 && error !== undefined
    if (!isRefused) toasts.failure(failure, otherwise)
    const isAtField = Object.keys(form.values).some((name) => fields[name])
    showErrors(isRefused && !isAtField ? { [field]: error } : fields, field)
  }

  const nextStep = (input: { email: string }) =>
    check.mutate(
      { ...input, invitation },
      {
        onSuccess: ({ action }) => {
          toasts.info(action === 'login' ? 'Please enter your password' : 'Create your account')
          setStep(action)
        },
        onError: (failure) => showFailure(failure, 'Error checking email', 'email'),
      },
    )

  const signIn = (input: { email: string; password: string; name?: string }) =>
    authenticate.mutate(
      { ...input, invitation },
      {
        onError: (failure) => {
          if (failure instanceof ApiError && failure.code === 'approval_pending') return setStep('approval')
          const action = failure instanceof ApiError ? failure.action : undefined
          if (action === 'verify_email') return checkEmail(sentenceOf(failure, MAILED))
          if (action === 'signup_required') {
            toasts.info('Please create an account first')
            return setStep('signup')
          }
          showFailure(failure, 'Authentication failed', step === 'signup' ? 'email' : 'password')
        },
      },
    )

  const signInWithCode = (code: string) =>
    submitCode.mutate(code, {
      onError: (failure) => showErrors({ code: sentenceOf(failure, 'Authentication failed') }),
    })

  const submit = () => {
    if (step === 'check-mail' || step === 'approval') return
    const { email, password, name, code } = form.values
    const values = { email: { email }, login: { email, password }, signup: { email, password, name }, code: { code } }
    const checked = rules[step].safeParse(values[step])
    form.clearErrors()
    if (!checked.success) return showErrors(firstSentences(checked.error))
    if (step === 'email') nextStep(values.email)
    else if (step === 'code') signInWithCode(code)
    else signIn(values[step])
  }

  return {
    step,
    /** The direction in which the step slides in; the first one does not slide. */
    slides,
    form,
    notice,
    isInvited: invitation !== undefined,
    // Back leads to the address of the refusal again.
    refusal: isRefusalSeen ? undefined : ssoRefusal(address.get('error')),
    isBusy: check.isPending || authenticate.isPending || submitCode.isPending,
    submit,
    startAgain: () => {
      if (!isLeaving.current) void navigate(-1)
      isLeaving.current = true
    },
    /**
     * The address may be confirmed by now, or the account approved. The typed values are kept, so one click is enough.
     */
    signInAgain: () => setStep('login'),
  }
}

export type AuthSteps = ReturnType<typeof useAuthSteps>

/** The address that the previous screen knew, so that it is not typed again. */
const emailIn = (state: unknown) =>
  typeof state === 'object' && state !== null && 'email' in state && typeof state.email === 'string' ? state.email : ''

const firstSentences = (error: z.ZodError): FormErrors =>
  Object.fromEntries([...error.issues].reverse().map((issue) => [issue.path[0], issue.message]))
