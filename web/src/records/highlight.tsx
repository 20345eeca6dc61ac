import { markMatches } from './mark-matches.ts'

/** Text with what was searched for marked in it. */
export const Highlight = ({ text, search }: { text: string; search: string }) =>
  search === ''
    ? text
    : markMatches(text, search).map((part) =>
        part.isMatch ? <mark key={part.at}>{part.text}</mark> : <span key={part.at}>{part.text}</span>,
      )
