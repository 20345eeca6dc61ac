import { CloseButton, Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { SEARCH_MAX } from '#contract/limits.ts'
import { useSingleKey } from '#web/ui/keys/use-single-key.ts'
import { tooLong } from '#web/ui/too-long.ts'
import classes from './search-box.module.css'

/** In milliseconds. Longer than most pauses between two keys, so that typing a word sends one or two searches. */
const WAIT = 150

type SearchBoxProps = { label: string; placeholder: string; search: string; onSearch: (search: string) => void }

/** Searches during typing, a moment after the last key. Follows `search` when it changes elsewhere. */
export const SearchBox = ({ label, placeholder, search, onSearch }: SearchBoxProps) => {
  const box = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(search)
  const [seen, setSeen] = useState(search)
  const [sent, setSent] = useState(search)

  const report = useDebouncedCallback((typed: string) => {
    setSent(typed)
    onSearch(typed)
  }, WAIT)

  // A search of this box returns here through the address. Only another search may replace the text in the box.
  if (search !== seen) {
    setSeen(search)
    if (search !== sent) {
      setSent(search)
      setText(search)
    }
  }

  const change = (typed: string) => {
    setText(typed)
    if (!tooLong('Search', typed, SEARCH_MAX)) report(typed.trim())
  }

  useSingleKey('/', () => box.current?.focus(), label)

  return (
    <search>
      <TextInput
        ref={box}
        type="search"
        size="md"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        error={tooLong('Search', text, SEARCH_MAX)}
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => change(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && report.flush()}
        leftSection={<IconSearch size={20} stroke={1.5} aria-hidden="true" />}
        rightSection={
          text === '' ? (
            <Kbd className={classes.hint} aria-hidden="true">
              /
            </Kbd>
          ) : (
            <CloseButton
              aria-label="Clear search"
              onClick={() => {
                change('')
                report.flush()
                box.current?.focus()
              }}
            />
          )
        }
        classNames={{ input: classes.input }}
      />
    </search>
  )
}
