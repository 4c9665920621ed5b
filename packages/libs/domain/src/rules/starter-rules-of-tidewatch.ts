import type { RuleInput } from '@tidewatch/contracts/rules/rule-input';

const GREATER_THAN = { condition: 'greater_than' } as const;

/**
 * Starter rules that monitor Tidewatch itself, on metrics that an agent on its host reports. `prefix` starts their external
 * ids.
 */
export const rulesOfTidewatch = (prefix: string): readonly RuleInput[] => [
  {
    external_id: `${prefix}tidewatch-behind`,
    name: 'Tidewatch is behind',
    ...GREATER_THAN,
    description: 'Samples are stored or evaluated late, and alerts come late with them.',
    metric: 'tidewatch_lag_seconds',
    thresholds: [
      { severity: 'warning', threshold: 10, recovery_threshold: 5 },
      { severity: 'critical', threshold: 60, recovery_threshold: 30 },
    ],
    duration_minutes: 2,
    keep_firing_minutes: 2,
  },
  {
    external_id: `${prefix}tidewatch-gave-up-records`,
    name: 'Tidewatch gave up records',
    description:
      'Records could not be read or stored and went to the dead letters; they have to be looked at.',
    metric: 'tidewatch_dead_letters_per_minute',
    ...GREATER_THAN,
    threshold: 0,
    duration_minutes: 0,
    keep_firing_minutes: 60,
    severity: 'warning',
  },
  {
    external_id: `${prefix}tidewatch-notifications-wait`,
    name: 'Notifications wait',
    ...GREATER_THAN,
    description: 'Notifications of alerts are not delivered: a destination fails, or the notifier does.',
    metric: 'tidewatch_notifications_oldest_seconds',
    thresholds: [
      { severity: 'warning', threshold: 60, duration_minutes: 2 },
      { severity: 'critical', threshold: 600, duration_minutes: 0 },
    ],
  },
  {
    external_id: `${prefix}tidewatch-jobs-fail`,
    name: 'Jobs of Tidewatch fail',
    description: 'Rollups, partitions or retention fail again and again.',
    metric: 'tidewatch_job_failures_per_minute',
    ...GREATER_THAN,
    threshold: 0,
    duration_minutes: 5,
    keep_firing_minutes: 5,
    severity: 'warning',
  },
  {
    external_id: `${prefix}tidewatch-process-away`,
    name: 'A process of Tidewatch is away',
    description: 'A watched process does not answer, for longer than a start takes.',
    metric: 'tidewatch_processes_away',
    ...GREATER_THAN,
    threshold: 0,
    duration_minutes: 2,
    severity: 'critical',
  },
];
