import { z } from 'zod'
import { forFellows, forManagers, forOperator, named, ofChange } from './audit-entry.ts'
import * as finder from './finder.ts'
import * as link from './link.ts'
import * as note from './note.ts'
import * as opinion from './opinion.ts'
import * as pipeline from './pipeline.ts'
import { pipelineSentence } from './pipeline-sentence.ts'
import * as stage from './stage.ts'
import * as tags from './tags.ts'

// The features of records on the wire. Their filters are in `filters.ts`, which has no schemas.

/** Their shapes, which the API document names. */
export const featureShapes = { ...finder, ...link, ...note, ...opinion, ...pipeline, ...stage, ...tags }

const detail = ofChange
const ofLink = { detail: { ...ofChange, linkedId: z.uuid() }, shows: 'role', feed: 'updated' } as const
const ofNote = { detail, shows: 'note' }
const ofTag = { detail, shows: 'tag', feed: 'updated' } as const
const notInFeed = { feed: 'none' } as const

/** Their actions in the audit log. */
export const featureActions = {
  'add-note': forFellows(
    'new note',
    ({ isEmpty, at }) => `added a note${at('on')}${isEmpty ? ', which has been deleted' : ''}`,
    { ...ofNote, feed: 'note.created' },
  ),
  'update-note': forFellows('edit of a note', ({ at }) => `edited a note${at('on')}`, { ...ofNote, feed: 'updated' }),
  'delete-note': forFellows('deletion of a note', ({ at }) => `deleted a note${at('on')}`, {
    ...ofNote,
    feed: 'note.deleted',
  }),
  'add-finder': forFellows('meeting', ({ of }) => `met ${of('them')} too`, { feed: 'updated' }),
  'delete-finder': forFellows('withdrawn meeting', ({ of }) => `took back having met ${of('them')}`, {
    feed: 'updated',
  }),
  'add-link': forFellows('link', ({ at, other }) => `linked ${other()}${at('to')}`, ofLink),
  'update-link': forFellows(
    'role of a link',
    ({ at, other }) => `changed the role of the link to ${other()}${at('of')}`,
    ofLink,
  ),
  'delete-link': forFellows(
    'deletion of a link',
    ({ at, other }) => `removed the link to ${other()}${at('from')}`,
    ofLink,
  ),
  'add-tag': forFellows('tag', ({ after, at }) => `added ${named('tag', after.tag)}${at('to')}`, ofTag),
  'delete-tag': forFellows(
    'removal of a tag',
    ({ before, at }) => `removed ${named('tag', before.tag)}${at('from')}`,
    ofTag,
  ),
  'change-tags': forManagers('change of tags', 'changed the tags of a record', notInFeed),
  'update-pipeline': forFellows('change of the pipeline', pipelineSentence, { detail, feed: 'changed' }),
  'give-opinion': forOperator('opinion', ({ at }) => `gave an opinion${at('on')}`, notInFeed),
  'change-opinion': forOperator('change of an opinion', ({ at }) => `changed their opinion${at('on')}`, notInFeed),
  'delete-opinion': forOperator('deletion of an opinion', ({ at }) => `deleted their opinion${at('on')}`, notInFeed),
  // Without whom, which others do not see.
  'ask-opinions': forManagers(
    'request for opinions',
    ({ at }) => `asked fellows for their opinion${at('on')}`,
    notInFeed,
  ),
  'reveal-opinions': forManagers('reveal of opinions', ({ at }) => `revealed the opinions${at('on')}`, notInFeed),
}
