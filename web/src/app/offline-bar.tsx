import { useNetwork } from '@mantine/hooks'
import classes from './offline-bar.module.css'

/** Shown while the browser is offline. */
export const OfflineBar = () => {
  const { online } = useNetwork()
  return (
    <div role="status" className={classes.place}>
      {!online && <p className={classes.bar}>You are offline. What you see may be out of date.</p>}
    </div>
  )
}
