import { z } from 'zod';
import { containerSchema, processSchema } from '../ingest/snapshot.ts';
import { timeQuery } from '../queries/query.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { partSchema } from './service.ts';

/** Query of a service's processes, containers and parts; `at` is milliseconds, undefined where not given. */
export const serviceSnapshotQuerySchema = z.object({
  at: timeQuery('The time to answer for; by default now.'),
});

const time = timestampSchema.nullable().meta({
  description: 'Time of that payload; null where none is kept.',
  examples: ['2026-11-21T14:36:28.000Z'],
});

const { kind, name, labels, metrics } = partSchema.shape;
const partAtSchema = z
  .object({
    kind,
    name,
    labels: labels.meta({ description: 'The labels of now: earlier ones are not kept.' }),
    metrics: metrics.meta({ description: 'The values of that payload.' }),
  })
  .meta({ id: 'PartAt', description: 'A part of a host as a payload had it.' });

export const serviceSnapshotSchema = z
  .object({
    service_id: idSchema('svc'),
    host: z.string().meta({ examples: ['web-01'] }),
    at: timestampSchema,
    processes: z
      .object({ time, list: z.array(processSchema) })
      .meta({ description: 'The processes of the newest payload at or before `at` that carried them.' }),
    containers: z
      .object({ time, list: z.array(containerSchema) })
      .meta({ description: 'The containers of the newest payload at or before `at` that carried them.' }),
    parts: z.object({ time, list: z.array(partAtSchema) }).meta({
      description:
        'The parts of the newest payload at or before `at` that carried them, by kind and name, as far as raw samples are kept.',
    }),
  })
  .meta({ id: 'ServiceSnapshot', description: 'Processes, containers and parts of a host at a time.' });

export type ServiceSnapshot = z.infer<typeof serviceSnapshotSchema>;
