import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useNav } from './nav.ts'
import classes from './top-bar.module.css'

const plus = <IconPlus size={18} stroke={2} aria-hidden="true" />

/** A button for each kind; on narrow screens, one button with a choice. */
export function AddActions() {
  const { addActions } = useNav()
  return (
    <>
      <div className={addActions.length > 1 ? classes.addWide : classes.add}>
        {addActions.map(({ to, label }) => (
          <Button key={to} component={Link} to={to} variant="light" leftSection={plus}>
            {label}
          </Button>
        ))}
      </div>
      {addActions.length > 1 && (
        <div className={classes.addNarrow}>
          <Button variant="light" leftSection={plus} popoverTarget="add-choice">
            Add
          </Button>
          <div id="add-choice" popover="auto" className={classes.popover}>
            {addActions.map(({ to, label }) => (
              <Link key={to} to={to} className={classes.popoverItem} onClick={hideChoice}>
                {label}
              </Link>
            ))}
          </div>
        </div>
      )}
    </>
  )
}

const hideChoice = () => document.getElementById('add-choice')?.hidePopover()
