import { z } from 'zod';
import { timestampSchema } from '../time/timestamp.ts';
import { SERVICE_NAMES } from './service-names.ts';
import { STORAGE_BACKENDS } from './storage-backends.ts';

export const PROCESS_STATUSES = ['ready', 'degraded', 'unavailable', 'missing'] as const;
export type ProcessStatus = (typeof PROCESS_STATUSES)[number];

const count = (description: string, example = 0) =>
  z
    .int()
    .nonnegative()
    .meta({ description, examples: [example] });

const amount = (description: string, example: number) =>
  z
    .number()
    .nonnegative()
    .meta({ description, examples: [example] });

const reasonsSchema = z
  .array(z.string())
  .meta({ description: 'Why it is not ready; empty while it is.', examples: [[]] });

const sinceSchema = timestampSchema
  .nullable()
  .meta({ description: 'Since when it is counted: the earliest start of the running processes.' });

export const systemProcessSchema = z
  .object({
    id: z.string().meta({ description: 'Machine and process id.', examples: ['tidewatch-1/4711'] }),
    roles: z.array(z.enum(SERVICE_NAMES)).meta({
      description: 'The services that it runs: all of them where Tidewatch is one process.',
      examples: [['evaluator']],
    }),
    version: z.string().meta({ examples: ['0.1.0'] }),
    status: z.enum(PROCESS_STATUSES).meta({
      description:
        'What it reported of itself; `missing` where it has stopped reporting, and no process of its roles has started since.',
    }),
    reasons: reasonsSchema,
    started_at: timestampSchema,
    reported_at: timestampSchema.meta({ description: 'Its last report; it reports every ten seconds.' }),
    lag_seconds: amount(
      'How far it was behind with storing or evaluating at its last report; null where it does neither, or received nothing since the report before.',
      0.4,
    ).nullable(),
  })
  .meta({ id: 'SystemProcess', description: 'A process of Tidewatch.' });

export const systemSchema = z
  .object({
    as_of: timestampSchema,
    status: z.enum(['ready', 'degraded', 'unavailable']).meta({
      description:
        'The worst of all processes. `unavailable` also while no evaluator, writer, gateway or query API reports.',
    }),
    reasons: reasonsSchema,
    topology: z.enum(['embedded', 'distributed']),
    storage_backend: z.enum(Object.values(STORAGE_BACKENDS)),
    version: z.string().meta({ description: 'Of the process that answers.', examples: ['0.1.0'] }),
    processes: z
      .array(systemProcessSchema)
      .meta({ description: 'By role and start. A process that was stopped is not among them.' }),
    evaluation_lag_seconds: amount(
      'How far evaluators and writers were behind at their last reports; where a partition has not advanced for ten seconds, for how long it has not. Null before the first sample.',
      0.4,
    ).nullable(),
    dead_letters: z
      .object({ count: count('Records that consumers gave up.'), since: sinceSchema })
      .meta({ id: 'SystemDeadLetters', description: 'Records that became dead letters.' }),
    notifications: z
      .object({
        queued: count('Notifications of all organizations that wait to be delivered.'),
        oldest_seconds: amount('Age of the oldest of them; 0 if none waits.', 2),
      })
      .nullable()
      .meta({
        id: 'SystemNotifications',
        description: 'The queue of notifications; null while no notifier reports.',
      }),
    event_streams: count('Streams of events that are open.', 48),
    jobs: z
      .object({
        failing: z.array(z.string()).meta({
          description: 'Background jobs whose last round failed.',
          examples: [[]],
        }),
        failures: count('Failed rounds of background jobs.'),
        since: sinceSchema,
      })
      .meta({ id: 'SystemJobs', description: 'Background jobs of writers.' }),
    storage: z
      .object({
        database_bytes: count('Size of the database, read at most once a minute.', 227_633_266_688),
        disk: z
          .object({
            free_bytes: count('What is free.', 309_237_645_312),
            total_bytes: count('Its size.', 536_870_912_000),
          })
          .nullable()
          .meta({
            description:
              'The disk of the data; null where PostgreSQL runs elsewhere, whose disk nobody here can see.',
          }),
        growth_bytes_per_day: z
          .number()
          .nullable()
          .meta({
            description:
              'How much the database grew in a day, over up to 7 days; null before a day has been measured.',
            examples: [15_000_000_000],
          }),
        days_left: amount(
          'Days until the disk is full if the database grows on like this; null where it does not grow, or where growth or disk is not known.',
          20.6,
        ).nullable(),
        history: z
          .array(
            z.object({
              t: timestampSchema,
              database_bytes: count('Size of the database then.', 227_633_266_688),
            }),
          )
          .meta({ description: 'Its size in each hour of the last 7 days, oldest first.' }),
      })
      .meta({ id: 'SystemStorage', description: 'What the stored data take.' }),
  })
  .meta({ id: 'System', description: 'The state of the installation, over all its processes.' });

export type System = z.infer<typeof systemSchema>;
export type SystemProcess = z.infer<typeof systemProcessSchema>;
