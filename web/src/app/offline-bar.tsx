import { useNetwork } from '@mantine/hooks'
import classes from './offline-bar.module.css'

/** Said once, as long as it is so. */
export const OfflineBar = () => {
  const { online } = useNetwork()
  return (
    <div role="status" className={classes.place}>
      {!online && <p className={classes.bar}>You are offline. What you see may be out of date.</p>}
    </div>
  )
}
