import { z } from 'zod';
import { BOUNDS } from '../ingest/sample.ts';
import { addFault } from '../problems/add-fault.ts';
import { PART_METRIC_PATTERN, partMetricOf } from '../rules/rule-metric.ts';
import { partSelectorSchema, SUBJECT_KEYS } from '../rules/rule-selector.ts';
import { tierSchema } from '../services/series.ts';
import { timestampInputSchema, timestampSchema } from '../time/timestamp.ts';
import { textSchema } from '../values/text.ts';
import { unitSchema } from '../values/unit-schema.ts';

const MAX_TOP = 1_000;
const MAX_STEP = 32;

export const aggregateSchema = z.enum(['avg', 'min', 'max', 'sum', 'count', 'p5', 'p50', 'p95', 'p99']).meta({
  description:
    'What the hosts or parts of a group come to in a step, of each its average there; `count` is how many have samples. Percentiles lie on a straight line between the two nearest.',
  examples: ['avg'],
});

const NAMES_PARTS = { anyOf: SUBJECT_KEYS.part.map((key) => ({ required: [key] })) };

/** What `checkTogether` refuses, for the API document. */
const REFUSED_TOGETHER = [
  {
    not: {
      required: ['group_by', 'by'],
      properties: { group_by: { type: 'string' }, by: { type: 'string' } },
    },
  },
  {
    anyOf: [
      { properties: { metric: { pattern: PART_METRIC_PATTERN } } },
      { properties: { selector: { not: NAMES_PARTS } } },
    ],
  },
];

/** Refuses two ways of grouping, and a selector of parts for a metric that parts cannot have. */
function checkTogether(query: Record<string, unknown>, context: z.RefinementCtx): void {
  if (typeof query['group_by'] === 'string' && typeof query['by'] === 'string')
    addFault(context, 'conflicting', 'Must not come with group_by.', ['by']);
  const { metric, selector } = query;
  if (typeof metric !== 'string' || partMetricOf(metric) !== null) return;
  if (typeof selector !== 'object' || selector === null) return;
  const message = 'Is only allowed with a metric of parts: their kind, a full stop and a metric of theirs.';
  for (const key of SUBJECT_KEYS.part)
    if ((selector as Record<string, unknown>)[key] !== undefined)
      addFault(context, 'not_allowed', message, ['selector', key]);
}

/** The body of a query over many hosts. Parsed times are ms; the step stays a text. */
export const fleetQuerySchema = z
  .strictObject({
    metric: textSchema(1, BOUNDS.metricName).meta({
      description:
        'A metric of hosts, or of parts by their kind and metric, such as `filesystem.used_percent`. Where hosts have a metric of this very name too, it is read as well.',
      examples: ['cpu_percent'],
    }),
    selector: partSelectorSchema.default({}),
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
    by: z
      .enum(['host', 'part', 'kind', 'subject'])
      .nullable()
      .default(null)
      .meta({
        description:
          'Groups by something else than a tag: `host`; `part`, the kind and name of a part over all hosts; its `kind`; or `subject`, each part of each host, or each host, by itself. Not with `group_by`.',
        examples: ['part'],
      }),
    top: z
      .int()
      .min(1)
      .max(MAX_TOP)
      .nullable()
      .default(null)
      .meta({
        description:
          'Only so many groups, those whose points have the greatest mean; without `group_by` and `by` every host, or part of a host, is a group of its own.',
        examples: [5],
      }),
  })
  .superRefine(checkTogether, { when: ({ value }) => typeof value === 'object' && value !== null })
  .meta({
    id: 'FleetQuery',
    description: 'A question about one metric of many hosts, or of their parts.',
    override: ({ jsonSchema }) => {
      Object.assign(jsonSchema, { allOf: REFUSED_TOGETHER });
    },
  });

export type FleetQuery = z.output<typeof fleetQuerySchema>;

export const fleetSeriesSchema = z
  .object({
    group: z
      .string()
      .nullable()
      .meta({
        description:
          'The value of the tag, or what `by` says; with `top` alone the host, or the host and its part. Null for hosts without the tag, and for all.',
        examples: ['eu-1'],
      }),
    host: z
      .string()
      .nullable()
      .meta({ description: 'The host, where the group is of one host.', examples: [null] }),
    part: z
      .string()
      .nullable()
      .meta({
        description: 'Kind and name of the part, such as `filesystem:/var`, where the group is of one.',
        examples: [null],
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
      .meta({
        description: 'How many of the chosen hosts have the metric, or parts with it.',
        examples: [1200],
      }),
    parts: z
      .int()
      .nonnegative()
      .meta({ description: 'How many parts of these hosts have the metric.', examples: [0] }),
    series: z.array(fleetSeriesSchema).meta({
      description: 'By group, hosts without the tag last; with `top` by rank.',
    }),
  })
  .meta({ id: 'FleetAnswer', description: 'One metric of many hosts over `[from, to)`.' });

export type FleetAnswer = z.infer<typeof fleetAnswerSchema>;
