import { setting, wholeNumber } from './config.ts';

/** The setting of the time for which alerts of one rule are gathered into one notification. */
export const groupingSettings = {
  groupSeconds: setting({
    env: 'TIDEWATCH_GROUP_SECONDS',
    schema: wholeNumber(1, 300).default(30),
    meaning:
      'How long alerts of one rule gather, in seconds: the first five are notified at once, the rest together at the end.',
    example: '60',
  }),
};
