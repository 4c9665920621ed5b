import { z } from 'zod';
// Imported for the types of fields of .meta() that only the API document uses.
import type {} from 'zod-openapi';
import { addFault } from '../problems/add-fault.ts';
import { DAY_MS } from '../time/duration.ts';
import { timestampInputSchema } from '../time/timestamp.ts';
import { textSchema } from '../values/text.ts';

/**
 * An optional text parameter, in which an empty text counts as missing. `schema` describes it further in the API document.
 */
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

/** A parameter for an id or a part of a filter; an empty one is refused, because it would filter nothing. */
export function idQuery(longest: number, description: string) {
  return textSchema(1, longest).optional().meta({ description });
}

/** A parameter that is `true` or `false`. */
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

/** An optional parameter for a time, parsed to ms since the epoch. */
export function timeQuery(description: string) {
  return timestampInputSchema.optional().meta({ description });
}

/** How far back the `as_of` of a list may be, ms. */
export const AS_OF_REACHES_MS = 7 * DAY_MS;

/**
 * The parameter `as_of` of a list, parsed to ms since the epoch. The handler checks its range, which depends on the clock.
 */
export const asOfQuery = timeQuery(
  'Answer as of this time, within the last 7 days: what changed later is not seen. Values of services and parts are those of samples until then, however late they arrived.',
);

/** Check that refuses a window `[from, to)` whose end is before its start. */
export const windowInOrder = z.superRefine<{ from?: unknown; to?: unknown }>(
  (query, context) => {
    if (typeof query.from !== 'number' || typeof query.to !== 'number' || query.from <= query.to) return;
    addFault(context, 'out_of_range', 'Must not be before from.', ['to']);
  },
  { when: ({ value }) => typeof value === 'object' && value !== null },
);
