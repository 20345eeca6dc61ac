import { Anchor } from '@mantine/core'
import { IconBrandLinkedin, IconMail, IconWorld } from '@tabler/icons-react'
import { mailLink, webLink } from '#web/records/web-links.ts'
import classes from './record-links.module.css'

export type Links = { linkedIn: string | null; email?: string | undefined; website?: string | null | undefined }

/** Links to the record elsewhere. An unsafe link is left out. */
export const RecordLinks = ({ name, linkedIn, email, website }: Links & { name: string }) => {
  const links = [
    { label: 'LinkedIn', href: webLink(linkedIn), Icon: IconBrandLinkedin },
    { label: 'Email', href: mailLink(email), Icon: IconMail },
    { label: 'Website', href: webLink(website), Icon: IconWorld },
  ].filter((link) => link.href !== undefined)
  if (links.length === 0) return null
  return (
    <ul className={classes.links} aria-label={`Links of ${name}`}>
      {links.map(({ label, href, Icon }) => (
        <li key={label}>
          <Anchor href={href} target="_blank" rel="noopener noreferrer" className={classes.link} title={label}>
            <Icon size={18} stroke={1.5} aria-hidden="true" className={classes.icon} />
            <span className={classes.word}>{label}</span>
          </Anchor>
        </li>
      ))}
    </ul>
  )
}
