import type { RuleInput } from '@tidewatch/contracts/rules/rule-input';

/** Starter rules on parts that the agent reports of hosts. `prefix` starts their external ids. */
export const rulesOfParts = (prefix: string): readonly RuleInput[] => [
  {
    external_id: `${prefix}filesystem-nearly-full`,
    name: 'Filesystem is nearly full',
    description: 'Space has to be made before writes fail. That of / has a rule of its own, on disk_percent.',
    metric: 'filesystem.used_percent',
    condition: 'greater_than',
    thresholds: [
      { severity: 'info', threshold: 80, recovery_threshold: 78 },
      { severity: 'warning', threshold: 90, recovery_threshold: 88 },
      { severity: 'critical', threshold: 95, recovery_threshold: 93 },
    ],
    duration_minutes: 10,
    overrides: [{ match: { part: '/' }, enabled: false }],
  },
  {
    external_id: `${prefix}inodes-nearly-exhausted`,
    name: 'Inodes are nearly exhausted',
    description: 'No file can be created without an inode, however much space is left.',
    metric: 'filesystem.inodes_used_percent',
    condition: 'greater_than',
    thresholds: [
      { severity: 'warning', threshold: 90, recovery_threshold: 88 },
      { severity: 'critical', threshold: 97, recovery_threshold: 95 },
    ],
    duration_minutes: 10,
  },
  {
    external_id: `${prefix}interface-errors`,
    name: 'Network interface has errors',
    description: 'Packets are damaged or refused all the time: a cable, a port or a driver.',
    metric: 'network.errors_per_second',
    condition: 'greater_than',
    threshold: 1,
    duration_minutes: 10,
    keep_firing_minutes: 10,
    severity: 'warning',
  },
  {
    external_id: `${prefix}unit-failed`,
    name: 'Unit has failed',
    description: 'A unit of systemd failed, and is not started again by itself.',
    metric: 'unit.failed',
    condition: 'greater_than',
    threshold: 0,
    duration_minutes: 0,
    severity: 'warning',
  },
];
