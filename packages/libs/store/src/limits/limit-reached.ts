/** The limits of an organization: what is counted, the setting of the limit, and what to do when it is reached. */
export const LIMITED = {
  rules: {
    what: 'alert rules',
    setting: 'TIDEWATCH_RULES_LIMIT',
    remedy: 'Delete rules that are not needed',
  },
  channels: {
    what: 'channels',
    setting: 'TIDEWATCH_CHANNELS_LIMIT',
    remedy: 'Delete channels that are not needed',
  },
  silences: {
    what: 'silences that have not ended',
    setting: 'TIDEWATCH_SILENCES_LIMIT',
    remedy: 'End silences that are not needed',
  },
  keys: { what: 'keys', setting: 'TIDEWATCH_KEYS_LIMIT', remedy: 'Revoke keys that are not needed' },
  sessions: {
    what: 'open sessions',
    setting: 'TIDEWATCH_SESSIONS_LIMIT',
    remedy: 'End sessions that are not needed',
  },
  signInLinks: {
    what: 'sign-in links that have not expired',
    setting: 'TIDEWATCH_SIGN_IN_LINKS_LIMIT',
    remedy: 'Wait until links expire',
  },
  markers: {
    what: 'markers',
    setting: 'TIDEWATCH_MARKERS_LIMIT',
    remedy: 'Delete markers that are not needed',
  },
  auditBytes: {
    what: 'bytes of audit records in an hour',
    setting: 'TIDEWATCH_AUDIT_BYTES_PER_HOUR',
    remedy: 'Make fewer or smaller changes, or wait for the next hour',
  },
} as const;

export type Limited = keyof typeof LIMITED;

/** A change was refused because its organization would exceed a limit. */
export class LimitReachedError extends Error {
  readonly limited: Limited;
  readonly max: number;

  constructor(limited: Limited, max: number) {
    const { what, setting, remedy } = LIMITED[limited];
    super(`The organization may have ${max} ${what}. ${remedy}, or ask the operator to raise ${setting}.`);
    this.name = 'LimitReachedError';
    this.limited = limited;
    this.max = max;
  }
}
