import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import { setting, wholeNumber } from '@tidewatch/runtime/settings/config';
import { z } from 'zod';

/** Settings of which alerts are investigated, and of how many investigations run at once. */
export const investigationSettings = {
  investigationsSeverity: setting({
    env: 'TIDEWATCH_INVESTIGATIONS_SEVERITY',
    schema: z.enum(SEVERITIES).default('warning'),
    meaning: 'The minimum severity of alerts that are investigated: critical, warning or info.',
    example: 'critical',
  }),
  investigationsAtOnce: setting({
    env: 'TIDEWATCH_INVESTIGATIONS_AT_ONCE',
    schema: wholeNumber(1, 16).default(1),
    meaning:
      'The maximum number of investigations that one process runs at once; the others wait in the queue.',
    example: '4',
  }),
  investigationsPeers: setting({
    env: 'TIDEWATCH_INVESTIGATIONS_PEERS',
    schema: wholeNumber(0, 500).default(50),
    meaning: 'The maximum number of other hosts with which an investigation compares a host.',
    example: '200',
  }),
};
