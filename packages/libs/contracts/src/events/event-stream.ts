import { z } from 'zod';
import { BOUNDS } from '../ingest/sample.ts';
import { addFault } from '../problems/add-fault.ts';
import { idQuery, textQuery } from '../queries/query.ts';
import { SEVERITIES, type Severity } from '../values/severity.ts';
import { EVENT_TYPES, type EventType } from './event-types.ts';

const KNOWN_TYPES: ReadonlySet<string> = new Set(EVENT_TYPES);
const MAX_LIST = 2_000;

/** Schema of a comma-separated list of names; each must be in `known`, and duplicates are removed. */
function listQuery<T extends string>(known: ReadonlySet<string>, description: string, example: string) {
  return z
    .string()
    .max(MAX_LIST)
    .transform((text, context) => {
      const names = [...new Set(text.split(',').filter((name) => name !== ''))];
      const unknown = names.filter((name) => !known.has(name));
      if (unknown.length > 0) {
        addFault(context, 'invalid_value', `Must be among ${[...known].join(', ')}.`);
        return z.NEVER;
      }
      return names.length === 0 ? undefined : (names as T[]);
    })
    .optional()
    .meta({ description, examples: [example], override: { type: 'string', maxLength: MAX_LIST } });
}

export const eventsQuerySchema = z.object({
  types: listQuery<EventType>(
    KNOWN_TYPES,
    'Only events of these types, with commas between them.',
    'alert.fired,alert.resolved',
  ),
  severity: listQuery<Severity>(
    new Set(SEVERITIES),
    'Only events about alerts, rules and investigations of these severities, with commas between them.',
    'critical,warning',
  ),
  service_id: idQuery(255, 'Only events about this service, its alerts and investigations.'),
  host: textQuery(
    BOUNDS.host,
    'Only events about hosts whose names match this pattern, about their alerts and investigations; `*` is any run of characters.',
  ),
});

export type EventsQuery = z.output<typeof eventsQuerySchema>;
