import { setting, wholeNumber } from '@tidewatch/runtime/settings/config';

/** Limits of what one organization may use of the evaluator. */
export const stormSettings = {
  alertsAtOnce: setting({
    env: 'TIDEWATCH_ALERTS_AT_ONCE',
    schema: wholeNumber(20, 100_000).default(500),
    meaning:
      'Alerts of one organization that begin, change or end in one transaction. Beyond it the rest follows in later transactions, in turn with other organizations.',
    example: '200',
  }),
  alertInstancesLimit: setting({
    env: 'TIDEWATCH_ALERT_INSTANCES_LIMIT',
    schema: wholeNumber(1, 1_000_000_000).default(250_000),
    meaning:
      'Alert instances of one organization that are pending or active at once. Beyond it samples begin no further ones until others have ended.',
    example: '500000',
  }),
};
