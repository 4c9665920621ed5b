import { type ConfigOf, setting, wholeNumber } from './config.ts';

function limit(env: string, what: string, usual: number) {
  return setting({
    env,
    schema: wholeNumber(1, 1_000_000_000).default(usual),
    meaning: `${what} that one organization may have. What would exceed it is answered with 422 limit_reached.`,
    example: String(usual * 2),
  });
}

/** Limits of what one organization may store. */
export const organizationLimitSettings = {
  rulesLimit: limit('TIDEWATCH_RULES_LIMIT', 'Alert rules', 10_000),
  channelsLimit: limit('TIDEWATCH_CHANNELS_LIMIT', 'Channels', 1_000),
  silencesLimit: limit('TIDEWATCH_SILENCES_LIMIT', 'Silences that have not ended', 5_000),
  keysLimit: limit('TIDEWATCH_KEYS_LIMIT', 'Keys that are neither revoked nor expired', 10_000),
  sessionsLimit: limit('TIDEWATCH_SESSIONS_LIMIT', 'Open sessions of the console', 1_000),
  signInLinksLimit: limit('TIDEWATCH_SIGN_IN_LINKS_LIMIT', 'Sign-in links that have not expired', 1_000),
  markersLimit: limit('TIDEWATCH_MARKERS_LIMIT', 'Markers', 100_000),
  auditBytesPerHour: limit(
    'TIDEWATCH_AUDIT_BYTES_PER_HOUR',
    'Bytes of audit records, in each hour of the clock,',
    67_108_864,
  ),
};

export type OrganizationLimits = ConfigOf<typeof organizationLimitSettings>;

/** Selects the limits of organizations from the settings of a process. */
export function readOrganizationLimits(config: OrganizationLimits): OrganizationLimits {
  const { rulesLimit, channelsLimit, silencesLimit, keysLimit, markersLimit, auditBytesPerHour } = config;
  const { sessionsLimit, signInLinksLimit } = config;
  return {
    rulesLimit,
    channelsLimit,
    silencesLimit,
    keysLimit,
    sessionsLimit,
    signInLinksLimit,
    markersLimit,
    auditBytesPerHour,
  };
}
