import { z } from 'zod';
import { CHANNEL_KINDS, isChannelKind } from '../channels/kinds/channel-kinds.ts';
import { BOUNDS } from '../ingest/sample.ts';
import { addFault } from '../problems/add-fault.ts';
import { fieldsQuery } from '../queries/fields.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { flagQuery, textQuery } from '../queries/query.ts';
import { sortQuery } from '../queries/sort.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema, isId } from '../values/id.ts';
import type { selectorSchema } from '../values/selector.ts';
import { SEVERITIES, type Severity, severitySchema } from '../values/severity.ts';
import { subjectSchema } from '../values/subject.ts';
import { textSchema } from '../values/text.ts';
import type { Condition } from './condition.ts';
import { conditionSchema } from './condition-schema.ts';
import { type RuleSelector, ruleSelectorSchema } from './rule-selector.ts';
import {
  type Level,
  levelsSchema,
  type Override,
  overridesSchema,
  type Transform,
  transformSchema,
} from './rule-terms.ts';

export type Selector = z.infer<typeof selectorSchema>;

/** The value in the channels of a rule that stands for all default channels of the organization. */
export const DEFAULT_CHANNELS = 'default';

/** The max number of channels that one rule may name. */
export const MAX_CHANNELS = 100;
const MINUTES_OF_A_DAY = 1_440;
const MINUTES_OF_A_WEEK = 10_080;

const metricSchema = textSchema(1, BOUNDS.metricName).meta({
  description:
    'Name of the metric that is evaluated. `container.` and a field of containers evaluates each container separately, `process.cpu_percent`, `process.memory_rss` and `process.count` evaluate all processes of one name together, `container.running` and `container.unhealthy` are 1 or 0, a kind of parts with a full stop and one of their metrics (`filesystem.used_percent`) evaluates each part of this kind separately, as well as a metric of hosts of this name, and `host.silent_minutes` is the number of minutes since a host was last seen.',
  examples: ['cpu_percent'],
});

const channelSchema = z
  .string()
  .superRefine((channel, context) => {
    if (isChannelKind(channel) || channel === DEFAULT_CHANNELS || isId('chn', channel)) return;
    addFault(
      context,
      'invalid_value',
      `Must be ${DEFAULT_CHANNELS}, one of ${CHANNEL_KINDS.join(', ')}, or the id of a channel.`,
    );
  })
  .meta({
    pattern: `^(?:${DEFAULT_CHANNELS}|${CHANNEL_KINDS.join('|')}|chn_[0-9a-f]{32})$`,
    examples: ['slack'],
  });

const urlSchema = textSchema(1, 2_000)
  .superRefine((text, context) => {
    if (/^https?:\/\//i.test(text) && URL.canParse(text)) return;
    addFault(context, 'invalid_format', 'Must be an http or https address.');
  })
  .meta({ format: 'uri', examples: ['https://wiki.example.com/runbooks/cpu'] });

/** The ways in which a rule may react when samples of its metric are missing. */
export const NO_DATA_POLICIES = ['keep_state', 'alert', 'resolve'] as const;

export type NoDataPolicy = (typeof NO_DATA_POLICIES)[number];

/** The modes of a rule: `active` notifies channels, `shadow` only records alerts. */
export const RULE_MODES = ['active', 'shadow'] as const;

export type RuleMode = (typeof RULE_MODES)[number];

const noDataSchema = z.strictObject({
  policy: z.enum(NO_DATA_POLICIES).default('keep_state').meta({
    description: 'What happens when the metric stays away: nothing, an alert, or that its alert resolves.',
  }),
  after_minutes: z
    .int()
    .min(1)
    .max(MINUTES_OF_A_DAY)
    .default(10)
    .meta({ description: 'After how many minutes the metric counts as staying away.' }),
});

/** All fields that a client may set, with their defaults. */
export const ruleFields = {
  external_id: textSchema(1, 200)
    .nullable()
    .default(null)
    .meta({ description: "The rule's name in the system that manages it.", examples: ['cpu-high'] }),
  name: textSchema(1, 200).meta({ description: 'Name for people.', examples: ['CPU is busy'] }),
  description: textSchema(0, 4_000)
    .nullable()
    .default(null)
    .meta({ description: 'What the rule is for.', examples: ['Pages the team on call.'] }),
  enabled: z.boolean().default(true).meta({ description: 'Whether the rule is evaluated.' }),
  mode: z.enum(RULE_MODES).default('active').meta({
    description:
      'A rule in `shadow` is evaluated and records alerts, but notifies no channel and affects no health.',
  }),
  metric: metricSchema,
  transform: transformSchema
    .nullable()
    .default(null)
    .meta({ description: 'Evaluates a derived value; null is the sample.' }),
  condition: conditionSchema,
  threshold: z
    .number()
    .nullable()
    .default(null)
    .meta({
      description: 'Limit that the value is compared with. Required unless `thresholds` is given.',
      examples: [90],
    }),
  threshold_max: z
    .number()
    .nullable()
    .default(null)
    .meta({ description: 'Upper limit of `between` and `not_between`, which need it; null for the others.' }),
  recovery_threshold: z
    .number()
    .nullable()
    .default(null)
    .meta({
      description:
        'What the value must pass for the alert to clear. On the clear side of the threshold; only for conditions with one direction.',
      examples: [80],
    }),
  duration_minutes: z
    .int()
    .min(0)
    .max(MINUTES_OF_A_DAY)
    .default(5)
    .meta({ description: 'Minutes that the breach must last.', examples: [5] }),
  keep_firing_minutes: z
    .int()
    .min(0)
    .max(MINUTES_OF_A_DAY)
    .default(0)
    .meta({ description: 'Minutes that it must be clear before the alert resolves.' }),
  severity: severitySchema.default('warning'),
  thresholds: levelsSchema.nullable().default(null),
  overrides: overridesSchema.default([]),
  scope: ruleSelectorSchema.default({}),
  no_data: noDataSchema.default({ policy: 'keep_state', after_minutes: 10 }),
  renotify_minutes: z
    .int()
    .min(1)
    .max(MINUTES_OF_A_WEEK)
    .nullable()
    .default(null)
    .meta({
      description: 'Minutes after which channels are notified again of an active alert; null is never.',
      examples: [60],
    }),
  channels: z
    .array(channelSchema)
    .max(MAX_CHANNELS)
    .default([])
    .meta({
      description:
        'Where alerts are notified: `default` (the default channels of all kinds), kinds (the default channel of that kind) or ids of channels. Without any, nobody is notified.',
      examples: [['slack', 'email']],
    }),
  runbook_url: urlSchema.nullable().default(null).meta({ description: 'What to do about it.' }),
};

/** The fields of a rule that a client may set, after defaults. */
export interface RuleDefinition {
  external_id: string | null;
  name: string;
  description: string | null;
  enabled: boolean;
  mode: RuleMode;
  metric: string;
  transform: Transform | null;
  condition: Condition;
  threshold: number | null;
  threshold_max: number | null;
  recovery_threshold: number | null;
  duration_minutes: number;
  keep_firing_minutes: number;
  severity: Severity;
  thresholds: Level[] | null;
  overrides: Override[];
  scope: RuleSelector;
  no_data: { policy: NoDataPolicy; after_minutes: number };
  renotify_minutes: number | null;
  channels: string[];
  runbook_url: string | null;
}

export const ruleWarningSchema = z
  .object({
    code: z.enum(['channel_not_configured', 'notifies_nobody', 'threshold_hidden', 'metric_not_sent']),
    message: z.string().meta({
      examples: [
        'No default channel of the kind slack is configured: what goes there is recorded and not sent.',
      ],
    }),
  })
  .meta({
    id: 'RuleWarning',
    description: 'Something about a rule that works other than its author may expect.',
  });

export type RuleWarning = z.infer<typeof ruleWarningSchema>;

const pendingSchema = z
  .object({
    service_id: idSchema('svc'),
    host: z.string().meta({ examples: ['web-01'] }),
    subject: subjectSchema,
    pending_since: timestampSchema,
    value: z.number().meta({ examples: [93.5] }),
  })
  .meta({
    id: 'PendingInstance',
    description: 'A subject that breaches the rule but not yet for long enough.',
  });

/** A rule in responses; `pending` is only in the response for a single rule. */
export const ruleSchema = z
  .object({
    id: idSchema('rul'),
    ...ruleFields,
    version: z
      .int()
      .positive()
      .meta({ description: 'Counts the changes; the ETag begins with it.', examples: [1] }),
    created_at: timestampSchema,
    updated_at: timestampSchema,
    state: z
      .enum(['inactive', 'pending', 'firing'])
      .meta({ description: 'The worst state of its subjects.', examples: ['pending'] }),
    firing_count: z
      .int()
      .nonnegative()
      .meta({ description: 'How many of its alerts are active.', examples: [0] }),
    pending: z
      .array(pendingSchema)
      .max(100)
      .optional()
      .meta({ description: 'Only in the answer of a single rule; at most 100.' }),
    alerts: z.int().nonnegative().optional().meta({
      description:
        'How many of its alerts fired within the last seven days; only in the list with `sort=alerts`.',
    }),
    last_evaluated_at: timestampSchema
      .nullable()
      .meta({ description: 'When the rule last evaluated a sample.' }),
    warnings: z.array(ruleWarningSchema),
  })
  .meta({ id: 'Rule', description: 'An alert rule.' });

export type Rule = z.output<typeof ruleSchema>;

export const rulesPageSchema = z
  .object({ rules: z.array(ruleSchema), pagination: paginationSchema })
  .meta({ id: 'RulesPage', description: 'Rules by creation, oldest first.' });

/** Query of the list of rules. */
export const rulesQuerySchema = z
  .object({
    ...pageQuery,
    enabled: flagQuery('Only rules that are, or are not, enabled.'),
    severity: z.enum(SEVERITIES).optional().meta({ description: 'Only rules of this severity.' }),
    metric: textQuery(BOUNDS.metricName, 'Only rules that evaluate this metric.'),
    q: textQuery(200, 'Only rules whose name contains this text, whatever its case.'),
    sort: sortQuery(['created_at', 'updated_at', 'name', 'alerts'], 'created_at'),
    fields: fieldsQuery(ruleSchema.shape),
  })
  .check(cursorOrOffset);

export type RulesQuery = z.output<typeof rulesQuerySchema>;
