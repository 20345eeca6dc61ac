import { Button } from '@mantine/core'
import { BASE } from '#web/lib/http.ts'
import { settings } from '#web/lib/settings.ts'
import classes from './auth-card.module.css'

/** The providers of single sign-on that the operator has set up. */
export const SsoChoices = () =>
  settings.sso.length > 0 && (
    <>
      <p className={classes.or}>or</p>
      <div className={classes.choices}>
        {settings.sso.map(({ id, name }) => (
          <Button key={id} component="a" href={`${BASE}/auth/sso/${id}`} variant="default" size="md" fullWidth>
            Continue with {name}
          </Button>
        ))}
      </div>
    </>
  )
