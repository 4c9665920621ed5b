import { z } from 'zod';
import { timeQuery, windowInOrder } from '../queries/query.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';

/** Days that changes are answered over at most. */
export const MAX_CHANGES_DAYS = 92;

/** Query of what changed about a service; times are milliseconds, undefined where not given. */
export const serviceChangesQuerySchema = z
  .object({
    from: timeQuery('Start of the range; by default a day before its end.'),
    to: timeQuery('End of the range, not part of it; by default now.'),
  })
  .check(windowInOrder);

export const serviceChangesSchema = z
  .object({
    service_id: idSchema('svc'),
    host: z.string().meta({ examples: ['web-01'] }),
    from: timestampSchema,
    to: timestampSchema,
    changes: z
      .array(
        z
          .object({
            kind: z.enum(['marker', 'tag', 'rule']).meta({ examples: ['tag'] }),
            id: z
              .string()
              .nullable()
              .meta({ description: 'The marker or the rule; null for tags.', examples: [null] }),
            at: timestampSchema,
            title: z
              .string()
              .meta({ description: 'What changed, in one line.', examples: ['tag version: 14.1 → 14.2'] }),
            tags: z.record(z.string(), z.string()).meta({
              description: 'Tags of the marker, or of the host after the change; empty for a rule.',
              examples: [{ version: '14.2' }],
            }),
          })
          .meta({ id: 'ServiceChange', description: 'Something that people or their tools did.' }),
      )
      .meta({ description: 'Changes by time, the oldest first.' }),
  })
  .meta({ id: 'ServiceChanges', description: 'What changed about a host within `[from, to)`.' });

export type ServiceChangesAnswer = z.infer<typeof serviceChangesSchema>;
