import type { ReactNode } from 'react'
import classes from './pipeline-panel.module.css'

/** A value of a record with its label, in the panel and beside it. `of` is the id of the field that the label names. */
export const PanelRow = ({ label, of, children }: { label: string; of?: string; children: ReactNode }) => (
  <div className={classes.row}>
    {of === undefined ? (
      <span className={classes.label}>{label}</span>
    ) : (
      <label className={classes.label} htmlFor={of}>
        {label}
      </label>
    )}
    <div className={classes.given}>{children}</div>
  </div>
)
