import { z } from 'zod';
import { BOUNDS } from '../ingest/sample.ts';
import { fieldsQuery } from '../queries/fields.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { timeQuery, windowInOrder } from '../queries/query.ts';
import { sortQuery } from '../queries/sort.ts';
import { timestampInputSchema, timestampSchema } from '../time/timestamp.ts';
import { actorSchema } from '../values/actor.ts';
import { idSchema } from '../values/id.ts';
import { mapSchema } from '../values/map.ts';
import { selectorSchema } from '../values/selector.ts';
import { textSchema } from '../values/text.ts';

const titleSchema = textSchema(1, 200).meta({
  description: 'What was done.',
  examples: ['api 1.4.2 deployed'],
});

const tagsSchema = mapSchema(
  textSchema(0, BOUNDS.tagValue),
  { entries: BOUNDS.tags, keyMin: 1, keyMax: BOUNDS.tagName },
  { description: 'Anything about it, such as a version.', examples: [{ version: '1.4.2' }] },
);

export const MARKER_EXAMPLE = {
  title: 'api 1.4.2 deployed',
  at: '2026-11-21T14:30:00.000Z',
  selector: { tags: { role: 'api' } },
  tags: { version: '1.4.2' },
};

/** The body of a new marker. */
export const markerInputSchema = z
  .strictObject({
    title: titleSchema,
    at: timestampInputSchema.optional().meta({
      description: 'When it was done, at most 24 hours ahead; by default now.',
    }),
    selector: selectorSchema.default({}).meta({ description: 'The hosts that it concerns; `{}` is all.' }),
    tags: tagsSchema.default({}),
  })
  .meta({ id: 'MarkerInput', description: 'A marker as it is created.', examples: [MARKER_EXAMPLE] });

/** A new marker; `at` is ms since the epoch. */
export type MarkerInput = z.output<typeof markerInputSchema>;

export const markerSchema = z
  .object({
    id: idSchema('mrk'),
    title: titleSchema,
    at: timestampSchema.meta({ description: 'When it was done.' }),
    selector: selectorSchema,
    tags: tagsSchema,
    created_at: timestampSchema,
    created_by: actorSchema,
  })
  .meta({ id: 'Marker', description: 'Something that people or their tools did, such as a deployment.' });

export type Marker = z.infer<typeof markerSchema>;

export const markersPageSchema = z
  .object({ markers: z.array(markerSchema), pagination: paginationSchema })
  .meta({ id: 'MarkersPage', description: 'Markers by `at`, newest first.' });

/** The query of the list of markers. `from` and `to` are ms, by `at`, `[from, to)`. */
export const markersQuerySchema = z
  .object({
    ...pageQuery,
    from: timeQuery('Only markers at or after this time.'),
    to: timeQuery('Only markers before this time.'),
    sort: sortQuery(['at', 'created_at'], '-at'),
    fields: fieldsQuery(markerSchema.shape),
  })
  .check(cursorOrOffset)
  .check(windowInOrder);
