import { z } from 'zod';
// Types the members of .meta() that are of the document.
import type {} from 'zod-openapi';
import { addFault } from '../problems/add-fault.ts';
import { textQuery, timeQuery, windowInOrder } from '../queries/query.ts';
import { timestampSchema } from '../time/timestamp.ts';

/** What alerts are grouped by. */
export const ALERT_GROUPINGS = ['rule_id', 'service_id', 'severity'] as const;

export type AlertGrouping = (typeof ALERT_GROUPINGS)[number];

/** Bounds of one answer. */
export const COUNT_BOUNDS = { alerts: 200_000, groups: 1_000, steps: 1_000, points: 100_000 } as const;

const DEFAULT_TOP = 100;

const topQuery = z
  .string()
  .transform((text, context) => {
    const top = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    if (top >= 1 && top <= COUNT_BOUNDS.groups) return top;
    const message = `Must be an integer of 1 to ${COUNT_BOUNDS.groups}.`;
    addFault(context, 'out_of_range', message);
    return z.NEVER;
  })
  .default(DEFAULT_TOP)
  .meta({
    description: 'Only so many groups, those with the most alerts.',
    override: {
      type: 'integer',
      minimum: 1,
      maximum: COUNT_BOUNDS.groups,
      default: DEFAULT_TOP,
      examples: [20],
    },
  });

/** Query of the counts of alerts; times are milliseconds, `step` stays a text. */
export const alertCountsQuerySchema = z
  .object({
    group_by: z
      .enum(ALERT_GROUPINGS)
      .optional()
      .meta({
        description: 'Answers counts for each rule, service or severity too.',
        examples: ['rule_id'],
      }),
    step: textQuery(
      32,
      'Answers how many alerts fired in each step too: seconds, or `1m`, `1h`, `1d`; aligned to UTC.',
      { pattern: '^(?:[1-9]\\d{0,7}s?|[1-9]\\d{0,6}m|[1-9]\\d{0,3}h|[1-9]\\d{0,2}d)?$', examples: ['1h'] },
    ),
    from: timeQuery('Only alerts that fired at or after this time; by default seven days before `to`.'),
    to: timeQuery('Only alerts that fired before this time; by default now.'),
    shadow: z.enum(['include', 'only']).optional().meta({
      description: 'With, or only, alerts of rules in `shadow`; without it they are left out.',
    }),
    top: topQuery,
  })
  .check(windowInOrder);

const number = (description: string, example: number) =>
  z
    .int()
    .nonnegative()
    .meta({ description, examples: [example] });

const countFields = {
  alerts: number('Alerts that fired in the range.', 42),
  critical: number('Critical ones among them, by the severity that they have now.', 2),
  warning: number('Warnings among them.', 40),
  info: number('Informational ones among them.', 0),
  services: number('Services that they are about.', 9),
  active: number('Alerts among them that are active now.', 1),
  recovered: number('Alerts among them that resolved because their breach ended.', 38),
  acknowledged: number('Alerts among them that were acknowledged.', 3),
  notified: number('Alerts among them of which a notification was delivered.', 30),
  flaps: number('How often they breached again while recovering.', 12),
  minutes: z
    .number()
    .nonnegative()
    .meta({ description: 'Minutes that they were active, up to `to`.', examples: [310.5] }),
};

const pointsSchema = z
  .array(
    z
      .object({
        t: timestampSchema.meta({ description: 'Start of the step.' }),
        alerts: z
          .int()
          .positive()
          .meta({ examples: [3] }),
      })
      .meta({ id: 'AlertCountPoint', description: 'Alerts that fired in one step.' }),
  )
  .meta({ description: 'With `step`: steps in order, without those in which none fired; else empty.' });

export const alertCountsSchema = z
  .object({
    from: timestampSchema,
    to: timestampSchema,
    group_by: z
      .enum(ALERT_GROUPINGS)
      .nullable()
      .meta({ examples: ['rule_id'] }),
    step_seconds: z
      .number()
      .positive()
      .nullable()
      .meta({ examples: [3600] }),
    total: z.object({ ...countFields, points: pointsSchema }).meta({
      id: 'AlertCounts',
      description: 'Counts of all alerts of the range.',
    }),
    groups: z
      .array(
        z
          .object({
            key: z.string().meta({
              description: 'The rule, the service, or the severity.',
              examples: ['rul_0197f3a1c0de7b3c9a51d2e4f6a80b1c'],
            }),
            name: z.string().meta({
              description: "The rule's name at the newest alert, the host, or the severity.",
              examples: ['CPU is busy'],
            }),
            ...countFields,
            points: pointsSchema,
          })
          .meta({
            id: 'AlertCountGroup',
            description: 'Counts of the alerts of one rule, service or severity.',
          }),
      )
      .meta({
        description: 'With `group_by`: groups by their number of alerts, the most first; else empty.',
      }),
    groups_total: number('How many groups there are; `groups` has at most `top` of them.', 12),
  })
  .meta({
    id: 'AlertCountsAnswer',
    description: 'How many alerts fired within `[from, to)`, and what came of them.',
  });

export type AlertCountsAnswer = z.infer<typeof alertCountsSchema>;
export type AlertCountFields = Omit<AlertCountsAnswer['total'], 'points'>;
