import type { JsonSchema } from './json-schema.ts';
import type { Tool } from './tool.ts';

/** The members of rules that models are shown; further ones may be given as `get_rule` answers them. */
const MEMBERS = [
  'name',
  'description',
  'metric',
  'condition',
  'threshold',
  'threshold_max',
  'recovery_threshold',
  'duration_minutes',
  'keep_firing_minutes',
  'severity',
  'scope',
  'channels',
  'mode',
  'enabled',
  'runbook_url',
] as const;

const AS_READ =
  'Members that are not listed here, such as thresholds, overrides, transform and no_data, are given as get_rule answers them.';

const METRIC: JsonSchema = {
  type: 'string',
  description:
    'A metric of hosts, such as cpu_percent, or of each of their parts, such as filesystem.used_percent: see list_metrics. host.silent_minutes is how long a host was not seen.',
};

/** A scope without what get_rule shows of rarer ones. */
const SCOPE: JsonSchema = {
  type: 'object',
  description:
    'Which hosts: {"hosts": ["web-*"], "tags": {"role": "api"}}, where * matches any characters; {} is all. With part, part_labels, container or process also which of these, by names with *.',
};

/** Tools that read, try, create and change alert rules. */
export const RULE_TOOLS: readonly Tool[] = [
  {
    name: 'list_rules',
    title: 'List alert rules',
    description: 'Alert rules with their conditions and states.',
    operationId: 'listRules',
    query: ['enabled', 'severity', 'metric', 'q', 'sort'],
    fixed: {
      fields:
        'id,name,enabled,mode,metric,condition,threshold,duration_minutes,severity,scope,channels,state,firing_count,version',
    },
    list: 'rules',
  },
  {
    name: 'get_rule',
    title: 'Read an alert rule',
    description: 'One alert rule in full, with its version, which update_rule needs, and what is pending.',
    operationId: 'getRule',
    id: 'rule_id',
  },
  {
    name: 'preview_rule',
    title: 'Try a rule on stored data',
    description:
      'The alerts that a rule would have fired in the last 7 days, or from `from` to `to`, and how many with other thresholds and durations. Stores nothing: do this before create_rule and update_rule.',
    operationId: 'previewRule',
    body: ['rule', 'from', 'to', 'thresholds', 'durations'],
    schemas: {
      rule: {
        type: 'object',
        description:
          'The rule as create_rule takes it, such as {"name": "CPU", "metric": "cpu_percent", "condition": "greater_than", "threshold": 90, "duration_minutes": 5}.',
      },
    },
    shows: ({ alerts, ...head }) => ({
      ...head,
      alerts: alerts.slice(0, 20).map(({ service_id: _id, ...alert }: Record<string, unknown>) => alert),
    }),
  },
  {
    name: 'create_rule',
    title: 'Create an alert rule',
    description: `Creates a rule, which evaluates every sample from then on and notifies its channels. With mode shadow it only records alerts. ${AS_READ}`,
    operationId: 'createRule',
    body: MEMBERS,
    isOpen: true,
    schemas: { metric: METRIC, scope: SCOPE },
    effect: { isDestructive: false, isIdempotent: false },
  },
  {
    name: 'update_rule',
    title: 'Change an alert rule',
    description: `Changes the given members of a rule, while it still has the given version. ${AS_READ}`,
    operationId: 'updateRule',
    id: 'rule_id',
    body: MEMBERS,
    isOpen: true,
    schemas: {
      metric: METRIC,
      scope: SCOPE,
      version: { type: 'integer', description: 'The version of the rule that you read, from get_rule.' },
    },
    required: ['version'],
    bodyOf: ({ version: _version, ...changes }) => changes,
    headersOf: ({ version }) => ({ 'if-match': `"${Number(version)}"` }),
    effect: { isDestructive: true, isIdempotent: true },
  },
];
