import { Highlight } from './highlight.tsx'
import classes from './linked-text.module.css'
import { splitAtLinks } from './split-at-links.ts'

/** Text of a person, whose web addresses are links. Each shows where it leads. */
export const LinkedText = ({ text, search = '' }: { text: string; search?: string }) =>
  splitAtLinks(text).map((part) =>
    part.href === undefined ? (
      <Highlight key={part.at} text={part.text} search={search} />
    ) : (
      <a
        key={part.at}
        href={part.href}
        target="_blank"
        rel="noopener noreferrer"
        title={part.href}
        dir="ltr"
        className={classes.link}
      >
        <Highlight text={part.text} search={search} />
      </a>
    ),
  )
