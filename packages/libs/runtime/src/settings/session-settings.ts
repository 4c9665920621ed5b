import { setting, wholeNumber } from './config.ts';

/** Max lifetime of a session, days; what a session that is idle for less may reach. */
export const MAX_SESSION_DAYS = 90;

/** The settings of sessions in the console. */
export const sessionSettings = {
  sessionIdleDays: setting({
    env: 'TIDEWATCH_SESSION_IDLE_DAYS',
    schema: wholeNumber(1, MAX_SESSION_DAYS).default(14),
    meaning: `Days without a request after which a session of the console ends. No session of a person lasts longer than ${MAX_SESSION_DAYS} days.`,
    example: '1',
  }),
  sessionConfirmMinutes: setting({
    env: 'TIDEWATCH_SESSION_CONFIRM_MINUTES',
    schema: wholeNumber(1, 129_600).default(60),
    meaning:
      'Minutes after sign-in or confirmation for which a session may use the scopes admin and operator.',
    example: '15',
  }),
};
