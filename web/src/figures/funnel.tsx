import { Paper, Title } from '@mantine/core'
import { type CSSProperties, type ReactNode, useId } from 'react'
import classes from './funnel.module.css'

export type Step = { id: string; name: string; count: number; number: ReactNode }

type FunnelProps = { title: string; about: string; noun: string; steps: Step[] }

/** How far records have come: a bar for each step, which begins at its label, and its number. */
export const Funnel = ({ title, about, noun, steps }: FunnelProps) => {
  const id = useId()
  const most = Math.max(1, ...steps.map(({ count }) => count))
  return (
    <Paper withBorder component="section" className={classes.part} aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      <p className={classes.about}>{about}</p>
      <table className={classes.table} aria-labelledby={id}>
        <colgroup>
          <col className={classes.label} />
          <col />
        </colgroup>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{noun}</th>
            <th scope="col">Records</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ id, name, count, number }) => (
            <tr key={id}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              <td>
                <div className={classes.bar} style={{ '--share': count / most } as CSSProperties}>
                  {number}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  )
}
