import { Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import classes from './figures.module.css'

export type FigureRow = { id: string; name: ReactNode; cells: ReactNode[] }

type PartProps = {
  title: string
  about: string
  columns: string[]
  rows: FigureRow[]
  /** The same numbers as a picture, beside them. */
  chart?: ReactNode
}

// On phones each row is a block of lines. Without the roles it would no longer be a table to a screen reader.
const roles = {
  ...{ table: { role: 'table' }, head: { role: 'rowgroup' }, body: { role: 'rowgroup' }, row: { role: 'row' } },
  ...{ column: { role: 'columnheader' }, name: { role: 'rowheader' }, cell: { role: 'cell' } },
}

/** A table with what it counts. */
export const Part = ({ title, about, columns, rows, chart }: PartProps) => {
  const id = useId()
  return (
    <Paper withBorder component="section" className={classes.part} aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      <p className={classes.about}>{about}</p>
      <div className={classes.both}>
        <table {...roles.table} className={classes.table} aria-labelledby={id}>
          <thead {...roles.head}>
            <tr {...roles.row}>
              {columns.map((column) => (
                <th key={column} {...roles.column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...roles.body}>
            {rows.map((row) => (
              <tr key={row.id} {...roles.row}>
                <th {...roles.name} scope="row">
                  {row.name}
                </th>
                {row.cells.map((cell, place) => {
                  const column = columns[place + 1] ?? ''
                  return (
                    <td key={column} {...roles.cell}>
                      <span className={classes.column} aria-hidden="true">
                        {column}
                      </span>
                      {cell}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
        {chart}
      </div>
    </Paper>
  )
}
