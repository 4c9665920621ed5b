import { z } from 'zod';
// Types the members of .meta() that are of the document.
import type {} from 'zod-openapi';
import { DAY_MS } from '../time/duration.ts';
import { timestampInputSchema } from '../time/timestamp.ts';
import { textSchema } from '../values/text.ts';

/** A text parameter that may be left out; an empty one is as if it were. `schema` says more of it in the document. */
export function textQuery(
  longest: number,
  description: string,
  schema: { pattern?: string; examples?: string[] } = {},
) {
  return textSchema(0, longest)
    .transform((text) => (text === '' ? undefined : text))
    .optional()
    .meta({ description, override: { type: 'string', maxLength: longest, ...schema } });
}

/** The id of something, or part of what a list is narrowed by: an empty one is refused, since it would narrow nothing. */
export function idQuery(longest: number, description: string) {
  return textSchema(1, longest).optional().meta({ description });
}

/** `true` or `false`. */
export function flagQuery(description: string) {
  return z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({
      description,
      override: ({ jsonSchema }) => {
        delete jsonSchema.enum;
        jsonSchema.type = 'boolean';
      },
    });
}

/** A time that may be left out; milliseconds since the epoch. */
export function timeQuery(description: string) {
  return timestampInputSchema.optional().meta({ description });
}

/** How far back a list can be answered as of a time, ms. */
export const AS_OF_REACHES_MS = 7 * DAY_MS;

/** The `as_of` of a list; milliseconds since the epoch. The allowed range depends on the clock. */
export const asOfQuery = timeQuery(
  'Answer as of this time, within the last 7 days: what came or changed later is not seen.',
);

/** Refuses a window `[from, to)` whose end lies before its start. */
export const windowInOrder = z.superRefine<{ from?: unknown; to?: unknown }>(
  (query, context) => {
    if (typeof query.from !== 'number' || typeof query.to !== 'number' || query.from <= query.to) return;
    context.addIssue({
      code: 'custom',
      path: ['to'],
      message: 'Must not be before from.',
      params: { code: 'out_of_range' },
    });
  },
  { when: ({ value }) => typeof value === 'object' && value !== null },
);
