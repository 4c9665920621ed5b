import { CONDITION_FACTS, CONDITIONS } from '@tidewatch/contracts/rules/condition';
import type { Unit } from '@tidewatch/contracts/values/unit';

/** "is above", "is not between … and …", by condition. */
export const CONDITION_WORDS = CONDITIONS.map(
  (condition) => [condition, `is ${CONDITION_FACTS[condition].words('…', '…').replace(/ …$/, '')}`] as const,
);

export const HELP = {
  recovery: 'Empty: the alert clears at the threshold itself.',
  keepFiring: 'How long the value must be clear before the alert resolves.',
  hosts: 'Names or patterns, with commas between: web-*, db-1. Empty: all hosts.',
  tags: 'Each tag must match: role=db, region=eu-* | us-1.',
  partLabels: 'Each label must match: type=ext4 | xfs, device=/dev/sd*.',
  parts: 'Names or patterns of parts: /var*, /srv. Empty: all parts of the kind in the metric.',
  repeat: 'Empty: channels are notified once.',
  runbook: 'An http or https address.',
} as const;

/** What stands behind a number of that unit. */
export function unitText(unit: Unit | null): string {
  switch (unit) {
    case 'percent':
      return '%';
    case 'milliseconds':
      return 'ms';
    case 'seconds':
      return 's';
    case 'per second':
      return 'per second';
    case 'bytes':
      return 'bytes';
    default:
      return '';
  }
}
