import { z } from 'zod';
import { addFault } from '../problems/add-fault.ts';
import { parseTimestamp } from './time.ts';
import { timestampFault } from './timestamp-fault.ts';

/** The range of times with years of four digits, which an offset may exceed. PostgreSQL has no year 0. */
const FIRST_TIME = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

const EXAMPLE = '2026-11-21T14:36:28.000Z';

/** Schema of a time in a response: RFC 3339, UTC, milliseconds, `Z`. */
export const timestampSchema = z.string().meta({
  id: 'Timestamp',
  description: 'RFC 3339, in UTC with milliseconds.',
  format: 'date-time',
  examples: [EXAMPLE],
});

/** Schema of a time in a request, parsed to ms since the epoch. */
export const timestampInputSchema = z
  .string()
  .transform((text, context) => {
    const time = parseTimestamp(text);
    if (time !== undefined && time >= FIRST_TIME && time <= LAST_TIME) return time;
    const [code, message] =
      time === undefined
        ? ['invalid_timestamp', timestampFault(text)]
        : ['out_of_range', 'Must lie within the years 0001 to 9999 of UTC.'];
    addFault(context, code, message);
    return z.NEVER;
  })
  .meta({
    description: 'RFC 3339 date and time; UTC where it has no offset, cut to milliseconds.',
    format: 'date-time',
    examples: [EXAMPLE],
  });
