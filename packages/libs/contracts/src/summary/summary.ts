import { z } from 'zod';
import { CHANNEL_KINDS } from '../channels/kinds/channel-kinds.ts';
import { SERVICE_STATUSES } from '../services/service.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { SEVERITIES } from '../values/severity.ts';

/** Failing channels that a summary names at most. */
export const MAX_FAILING_CHANNELS = 20;

const count = (description: string, example: number) =>
  z
    .int()
    .nonnegative()
    .meta({ description, examples: [example] });

const countsOf = <const Names extends readonly string[]>(names: Names, example: number) =>
  Object.fromEntries(names.map((name) => [name, count(`Those that are ${name}.`, example)])) as Record<
    Names[number],
    z.ZodInt
  >;

const activeAlerts = z
  .object({
    total: count('Active alerts of this severity.', 3),
    acknowledged: count('Those among them that were acknowledged.', 1),
  })
  .meta({ id: 'ActiveAlertCounts', description: 'How many alerts of a severity are active.' });

export const summarySchema = z
  .object({
    as_of: timestampSchema.meta({ description: "When this was read, by the server's clock." }),
    services: z
      .object({ total: count('All that are not archived.', 10_000), ...countsOf(SERVICE_STATUSES, 12) })
      .meta({ id: 'ServiceCounts', description: 'How many services have each status.' }),
    alerts: z
      .object({
        total: count('Active alerts, without those of rules in `shadow`.', 15),
        ...(Object.fromEntries(SEVERITIES.map((severity) => [severity, activeAlerts])) as Record<
          (typeof SEVERITIES)[number],
          typeof activeAlerts
        >),
      })
      .meta({ id: 'AlertSummary', description: 'Active alerts by severity.' }),
    evaluation_lag_seconds: z
      .number()
      .nonnegative()
      .nullable()
      .meta({
        description:
          'The time since which the partition that is furthest behind has been evaluated completely; null before the first evaluation.',
        examples: [0.4],
      }),
    notifications: z
      .object({
        failed: count('Notifications of the last 24 hours that failed.', 3),
        failing_channels: z
          .array(
            z
              .object({
                id: idSchema('chn'),
                name: z.string().meta({ examples: ['on call'] }),
                kind: z.enum(CHANNEL_KINDS),
                failed_at: timestampSchema,
                error: z
                  .string()
                  .nullable()
                  .meta({ examples: ['no_service'] }),
              })
              .meta({ id: 'FailingChannel', description: 'An enabled channel whose last delivery failed.' }),
          )
          .meta({ description: `The most recent failures first, at most ${MAX_FAILING_CHANNELS}.` }),
      })
      .meta({ id: 'NotificationSummary', description: 'What was not delivered.' }),
    rules: z
      .object({
        enabled: count('Rules that are evaluated.', 24),
        without_channels: count('Active rules among them that notify no channel.', 2),
      })
      .meta({ id: 'RuleSummary', description: 'How many rules there are.' }),
    setup: z
      .object({
        channels: count('Channels that are enabled.', 1),
        public_url: z.boolean().meta({
          description: 'Whether `TIDEWATCH_PUBLIC_URL` is set, so that notifications link here.',
          examples: [true],
        }),
      })
      .meta({ id: 'SetupSummary', description: 'What a new installation needs.' }),
  })
  .meta({ id: 'Summary', description: 'The state of an organization at a glance.' });

export type Summary = z.infer<typeof summarySchema>;
