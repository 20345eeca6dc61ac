import { markMatches } from './mark-matches.ts'

/** Text with the matches of a search marked. */
export const Highlight = ({ text, search }: { text: string; search: string }) =>
  search === ''
    ? text
    : markMatches(text, search).map((part) =>
        part.isMatch ? <mark key={part.at}>{part.text}</mark> : <span key={part.at}>{part.text}</span>,
      )
