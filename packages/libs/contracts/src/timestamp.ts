import { z } from 'zod';
import { parseTimestamp } from './time.ts';

const EXAMPLE = '2026-11-21T14:36:28.000Z';

/** A time in an answer: RFC 3339, UTC, milliseconds, `Z`. */
export const timestampSchema = z.string().meta({
  description: 'RFC 3339, in UTC with milliseconds.',
  format: 'date-time',
  examples: [EXAMPLE],
});

/** A time in a request: text to milliseconds since the epoch. */
export const timestampInputSchema = z
  .string()
  .transform((text, context) => {
    const time = parseTimestamp(text);
    if (time !== undefined) return time;
    context.addIssue({
      code: 'custom',
      message: 'Must be an RFC 3339 date and time.',
      params: { code: 'invalid_timestamp' },
    });
    return z.NEVER;
  })
  .meta({
    description: 'RFC 3339 date and time; UTC where it has no offset, cut to milliseconds.',
    format: 'date-time',
    examples: [EXAMPLE],
  });
