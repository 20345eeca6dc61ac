import { Anchor } from '@mantine/core'
import { IconBrandLinkedin, IconMail, IconWorld } from '@tabler/icons-react'
import type { Field } from '#contract/fields.ts'
import { capital } from '#contract/plain-text.ts'
import type { PartProps } from '#web/record-page/record-part.tsx'
import { Provenance } from '#web/records/card/provenance.tsx'
import { LinkedText } from '#web/records/list/linked-text.tsx'
import { valueIn } from '#web/records/record-values.ts'
import { mailLink, shortAddress, webLink } from '#web/records/web-links.ts'
import { ClampedText } from '#web/ui/lists/clamped-text.tsx'
import { EditableField } from './editable-field.tsx'
import { arranged, labelOf } from './fields.ts'
import classes from './record-facts.module.css'

const PROSE_LINES = 12

/** What a record has, and what those who may correct it can add. */
const offersOf = ({ kind, record }: PartProps) => {
  const has = (field: Field) => valueIn(record, field) !== ''
  const isMissing = (field: Field) => !has(field) && record.can.edit && field.editableBy.includes('patch')
  const { facts, addresses, prose } = arranged(kind.fields)
  return {
    facts: facts.filter(has),
    addresses: addresses.filter(has),
    prose: prose.filter(has),
    missing: [...facts, ...addresses, ...prose].filter(isMissing),
  }
}

/** The name, facts and addresses of a record, each of them correctable in place. */
export const RecordFacts = (props: PartProps) => {
  const { kind, record } = props
  const { facts, addresses } = offersOf(props)
  const nameField = kind.fields.find(({ name }) => name === 'name') as Field
  return (
    <div className={classes.who}>
      <EditableField {...props} field={nameField}>
        <h1 className={classes.name}>
          <bdi>{record.name}</bdi>
        </h1>
      </EditableField>
      {facts.length > 0 && (
        <ul
          className={classes.row}
          data-editable={record.can.edit || undefined}
          aria-label={`Facts about ${record.name}`}
        >
          {facts.map((field) => (
            <li key={field.name} className={classes.fact} data-given>
              <EditableField {...props} field={field}>
                <span title={capital(labelOf(field))}>
                  <span className="visually-hidden">{capital(labelOf(field))}: </span>
                  <bdi>{kind.formatFact?.(field.name, valueIn(record, field)) ?? valueIn(record, field)}</bdi>
                </span>
              </EditableField>
            </li>
          ))}
        </ul>
      )}
      {addresses.length > 0 && (
        <ul className={classes.row} data-editable={record.can.edit || undefined} aria-label={`Links of ${record.name}`}>
          {addresses.map((field) => (
            <li key={field.name} className={classes.fact}>
              <EditableField {...props} field={field}>
                <Address field={field} value={valueIn(record, field)} />
              </EditableField>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** The prose of a record, what can be added to it, and where its values are from. */
export const RecordAbout = (props: PartProps) => {
  const { kind, record } = props
  const { prose, missing } = offersOf(props)
  return (
    <>
      <h2 className="visually-hidden">About</h2>
      {prose.map((field) => (
        <EditableField key={field.name} {...props} field={field}>
          <div className={classes.prose}>
            <ClampedText lines={PROSE_LINES} subject={`the ${field.label} of ${record.name}`}>
              <LinkedText text={valueIn(record, field)} />
            </ClampedText>
          </div>
        </EditableField>
      ))}
      {missing.length > 0 && (
        <ul className={classes.row} aria-label={`What ${record.name} lacks`}>
          {missing.map((field) => (
            <li key={field.name} className={classes.fact}>
              <EditableField {...props} field={field}>
                {null}
              </EditableField>
            </li>
          ))}
        </ul>
      )}
      <div className={classes.provenance}>
        <Provenance record={record} fields={kind.fields} />
      </div>
    </>
  )
}

const icons: Record<string, typeof IconWorld> = { linkedIn: IconBrandLinkedin, email: IconMail }

/** A link where the address is safe, otherwise its text. */
const Address = ({ field, value }: { field: Field; value: string }) => {
  const Icon = icons[field.name] ?? IconWorld
  const web = webLink(value)
  const href = web ?? mailLink(value)
  const text = (
    <>
      <Icon size={18} stroke={1.5} aria-hidden="true" className={classes.icon} />
      <span className="visually-hidden">{capital(labelOf(field))}: </span>
      <bdi className={classes.address}>{shortAddress(value)}</bdi>
    </>
  )
  if (!href) return <span className={classes.link}>{text}</span>
  return (
    <Anchor
      href={href}
      className={classes.link}
      {...(web !== undefined && { target: '_blank', rel: 'noopener noreferrer' })}
    >
      {text}
    </Anchor>
  )
}
