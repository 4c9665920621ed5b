import { DEFAULT_CHANNELS } from '@tidewatch/contracts/rules/rule';
import type { RuleInput } from '@tidewatch/contracts/rules/rule-input';
import { rulesOfAgents } from './starter-rules-of-agents.ts';
import { rulesOfParts } from './starter-rules-of-parts.ts';
import { rulesOfTidewatch } from './starter-rules-of-tidewatch.ts';

/** The prefix of the starter set's external ids. */
export const STARTER_PREFIX = 'starter/';

const MINUTES_OF_A_DAY = 1_440;

const RULES: readonly RuleInput[] = [
  {
    external_id: `${STARTER_PREFIX}cpu-busy`,
    name: 'CPU is busy',
    description: 'The processors had hardly anything to spare for a quarter of an hour.',
    metric: 'cpu_percent',
    condition: 'greater_than',
    threshold: 90,
    recovery_threshold: 80,
    duration_minutes: 15,
    keep_firing_minutes: 5,
    severity: 'warning',
  },
  {
    external_id: `${STARTER_PREFIX}memory-nearly-full`,
    name: 'Memory is nearly full',
    description: 'What the host can still hand out will soon not be enough, and processes will be ended.',
    metric: 'memory_percent',
    condition: 'greater_than',
    thresholds: [
      { severity: 'warning', threshold: 90, recovery_threshold: 87, duration_minutes: 10 },
      { severity: 'critical', threshold: 97, recovery_threshold: 95, duration_minutes: 5 },
    ],
    keep_firing_minutes: 5,
  },
  {
    external_id: `${STARTER_PREFIX}disk-nearly-full`,
    name: 'Disk is nearly full',
    description: 'Space has to be made before writes fail.',
    metric: 'disk_percent',
    condition: 'greater_than',
    thresholds: [
      { severity: 'info', threshold: 80, recovery_threshold: 78 },
      { severity: 'warning', threshold: 90, recovery_threshold: 88 },
      { severity: 'critical', threshold: 95, recovery_threshold: 93 },
    ],
    duration_minutes: 10,
  },
  {
    external_id: `${STARTER_PREFIX}disk-filling-up`,
    name: 'Disk will be full within a day',
    description: 'A straight line through the last six hours reaches the end of the disk within a day.',
    metric: 'disk_percent',
    transform: { kind: 'forecast', over_minutes: 360, ahead_minutes: MINUTES_OF_A_DAY },
    condition: 'greater_than_or_equal',
    threshold: 100,
    duration_minutes: 60,
    keep_firing_minutes: 60,
    severity: 'warning',
  },
  {
    external_id: `${STARTER_PREFIX}host-offline`,
    name: 'Host is offline',
    description: 'No payload has arrived from the host. Hosts with the tag ephemeral are left out.',
    metric: 'host.silent_minutes',
    condition: 'greater_than',
    threshold: 5,
    duration_minutes: 0,
    severity: 'critical',
    overrides: [{ match: { tags: { ephemeral: 'true' } }, enabled: false }],
  },
  ...rulesOfParts(STARTER_PREFIX),
  ...rulesOfAgents(STARTER_PREFIX),
  ...rulesOfTidewatch(STARTER_PREFIX),
];

/**
 * Rules that suit most hosts, which notify the default channels; docs/alerting-starter-rules.md has the reason for each
 * number.
 */
export const STARTER_RULES: readonly RuleInput[] = RULES.map((rule) => ({
  ...rule,
  channels: [DEFAULT_CHANNELS],
}));
