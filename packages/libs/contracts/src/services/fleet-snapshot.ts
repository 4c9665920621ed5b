import { z } from 'zod';
// Types the members of .meta() that are of the document.
import type {} from 'zod-openapi';
import { BOUNDS } from '../ingest/sample.ts';
import { addFault } from '../problems/add-fault.ts';
import { splitList } from '../queries/separated.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { textFault, textSchema } from '../values/text.ts';
import { serviceStatusSchema } from './service.ts';

/** The max number of tags that a request for a fleet snapshot may name; each becomes a column of the answer. */
const MAX_TAGS = 10;
const MAX_TOKEN = 500;

/** Hosts that one snapshot holds at most. */
export const MAX_SNAPSHOT_HOSTS = 50_000;

const tagNames = z
  .union([z.string(), z.array(z.string())])
  .transform((given, context) => {
    const names = (Array.isArray(given) ? given : [given]).flatMap(splitList).filter((name) => name !== '');
    const unique = [...new Set(names)];
    const isFaulty = unique.length > MAX_TAGS || unique.some((name) => textFault(name, 1, BOUNDS.tagName));
    if (!isFaulty) return unique;
    addFault(context, 'invalid_format', `Must be at most ${MAX_TAGS} names of tags, with commas between.`);
    return z.NEVER;
  })
  .default([])
  .meta({
    description: `Names of tags, at most ${MAX_TAGS}, with commas between; by default none. A name with a comma has a backslash before it, or stands in double quotes; the parameter may also be repeated.`,
    override: ({ jsonSchema }) => {
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, {
        type: 'string',
        pattern: `^[^,]{0,${BOUNDS.tagName}}(?:,[^,]{0,${BOUNDS.tagName}}){0,${MAX_TAGS - 1}}$`,
        default: '',
        examples: ['region,role'],
      });
    },
  });

/** Query of a snapshot of the fleet; `tags` are distinct names. */
export const fleetSnapshotQuerySchema = z.object({
  tags: tagNames,
  since: textSchema(1, MAX_TOKEN).optional().meta({
    description:
      'The `token` of an earlier snapshot: answers only hosts that have changed since, and which have left. A token of other tags, or one that is too old, is answered with a full snapshot.',
    pattern: '^[A-Za-z0-9_-]+$',
  }),
});

const counts = z.array(z.int().nonnegative()).meta({ examples: [[1]] });
const percents = z.array(z.number().nullable()).meta({ examples: [[12.5]] });

const fleetColumnsSchema = z
  .object({
    id: z.array(idSchema('svc')),
    name: z.array(z.string()).meta({ description: 'Names of the hosts.', examples: [['web-01']] }),
    status: z.array(serviceStatusSchema).meta({ examples: [['degraded']] }),
    status_since: z.array(timestampSchema),
    last_seen: z.array(timestampSchema),
    cpu_percent: percents,
    memory_percent: percents,
    disk_percent: percents,
    critical: counts.meta({ description: 'Active alerts of each severity.', examples: [[0]] }),
    warning: counts,
    info: counts.meta({ examples: [[0]] }),
  })
  .meta({
    id: 'FleetColumns',
    description:
      'A column for each field of a service, by the names that the list of services has for them; entry `n` of each belongs to the same host.',
  });

const tagColumnSchema = z
  .object({
    values: z.array(z.string()).meta({ description: 'Distinct values of the tag.', examples: [['eu-1']] }),
    index: z.array(z.int().nonnegative().nullable()).meta({
      description: 'For each host the position of its value in `values`; null for hosts without the tag.',
      examples: [[0]],
    }),
  })
  .meta({ id: 'TagColumn', description: 'A tag of each host.' });

export const fleetSnapshotSchema = z
  .object({
    as_of: timestampSchema.meta({ description: "When the hosts were read, by the server's clock." }),
    token: z.string().meta({
      description: 'The `since` of the next request with the same `tags`.',
      examples: ['WyJmbGVldC1zbmFwc2hvdCIsIjAwIixbXV0'],
    }),
    full: z.boolean().meta({
      description:
        'Whether these are all hosts, so that hosts of earlier snapshots that are absent here have left.',
      examples: [true],
    }),
    columns: fleetColumnsSchema,
    tags: z.record(z.string(), tagColumnSchema).meta({
      description: 'A column for each name in `tags`.',
      examples: [{ region: { values: ['eu-1'], index: [0] } }],
    }),
    removed: z.array(idSchema('svc')).meta({
      description: 'Hosts that have left since the token: deleted or archived. Empty in a full snapshot.',
      examples: [[]],
    }),
  })
  .meta({ id: 'FleetSnapshot', description: 'All hosts that are not archived, by name, as columns.' });

export type FleetSnapshot = z.infer<typeof fleetSnapshotSchema>;
