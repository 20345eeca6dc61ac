import type { Import } from '#contract/import.ts'
import classes from '#web/import/import.module.css'

/** The first values of each column, decoded as the file is read now. */
export const Sample = ({ import: { columns, samples }, isOld }: { import: Import; isOld: boolean }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
  <section className={classes.sample} aria-label="Sample of the file" aria-busy={isOld} tabIndex={0}>
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Column</th>
          <th scope="col">First values</th>
        </tr>
      </thead>
      <tbody>
        {columns.map((name, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: names of columns can repeat
          <tr key={at}>
            <th scope="row">
              <bdi className={classes.columnName}>{name}</bdi>
            </th>
            <td>
              <Values values={samples[at] ?? []} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** A few values of a column, one below the other, each in at most two lines. */
export const Values = ({ values }: { values: string[] }) =>
  values.length === 0 ? (
    <span className={classes.empty}>Empty</span>
  ) : (
    values.map((value) => (
      <bdi key={value} className={classes.value}>
        {value.slice(0, 300)}
      </bdi>
    ))
  )
