import { z } from 'zod';
import { BOUNDS } from '../ingest/sample.ts';
import { tierSchema } from '../services/series.ts';
import { timestampInputSchema, timestampSchema } from '../time/timestamp.ts';
import { selectorSchema } from '../values/selector.ts';
import { textSchema } from '../values/text.ts';
import { unitSchema } from '../values/unit-schema.ts';

const MAX_TOP = 1_000;
const MAX_STEP = 32;

export const aggregateSchema = z.enum(['avg', 'min', 'max', 'sum', 'count', 'p5', 'p50', 'p95', 'p99']).meta({
  description:
    'What the hosts of a group come to in a step, of each host its average there; `count` is how many hosts have samples. Percentiles lie on a straight line between the two nearest hosts.',
  examples: ['avg'],
});

/** The body of a query over many hosts. Parsed times are ms; the step stays a text. */
export const fleetQuerySchema = z
  .strictObject({
    metric: textSchema(1, BOUNDS.metricName).meta({
      description: 'A metric of hosts.',
      examples: ['cpu_percent'],
    }),
    selector: selectorSchema.default({}),
    from: timestampInputSchema
      .optional()
      .meta({ description: 'Start of the range; by default an hour before its end.' }),
    to: timestampInputSchema
      .optional()
      .meta({ description: 'End of the range, not part of it; by default now.' }),
    step: z
      .union([z.int(), textSchema(1, MAX_STEP)])
      .transform((step) => `${step}`)
      .optional()
      .meta({
        description: 'Length of a step: seconds, or `1m`, `1h`, `1d`. By default one that suits the range.',
        override: { type: ['integer', 'string'], examples: [60, '5m'] },
      }),
    aggregate: aggregateSchema.default('avg'),
    group_by: textSchema(1, BOUNDS.tagName)
      .nullable()
      .default(null)
      .meta({
        description: 'Name of a tag: a series for each of its values. Null: one for all hosts.',
        examples: ['region'],
      }),
    top: z
      .int()
      .min(1)
      .max(MAX_TOP)
      .nullable()
      .default(null)
      .meta({
        description:
          'Only so many groups, those whose points have the greatest mean; without `group_by` every host is a group of its own.',
        examples: [5],
      }),
  })
  .meta({ id: 'FleetQuery', description: 'A question about one metric of many hosts.' });

export type FleetQuery = z.output<typeof fleetQuerySchema>;

export const fleetSeriesSchema = z
  .object({
    group: z
      .string()
      .nullable()
      .meta({
        description:
          'The value of the tag, or with `top` alone the host; null for hosts without the tag, and for all.',
        examples: ['eu-1'],
      }),
    points: z
      .array(
        z
          .object({
            t: timestampSchema.meta({ description: 'Start of the step, aligned to UTC.' }),
            value: z.number().meta({ examples: [41.5] }),
          })
          .meta({ id: 'FleetPoint', description: 'What hosts come to in one step.' }),
      )
      .meta({ description: 'Steps in order; those without samples are left out.' }),
  })
  .meta({ id: 'FleetSeries', description: 'One metric of a group of hosts over time.' });

export const fleetAnswerSchema = z
  .object({
    metric: z.string().meta({ examples: ['cpu_percent'] }),
    unit: unitSchema,
    aggregate: aggregateSchema,
    from: timestampSchema,
    to: timestampSchema,
    step_seconds: z
      .number()
      .positive()
      .meta({ examples: [60] }),
    tier: tierSchema,
    services: z
      .int()
      .nonnegative()
      .meta({ description: 'How many of the chosen hosts have the metric.', examples: [1200] }),
    series: z.array(fleetSeriesSchema).meta({
      description: 'By group, hosts without the tag last; with `top` by rank.',
    }),
  })
  .meta({ id: 'FleetAnswer', description: 'One metric of many hosts over `[from, to)`.' });

export type FleetAnswer = z.infer<typeof fleetAnswerSchema>;
