import { setting, wholeNumber } from '@tidewatch/runtime/config';

/** The gateway's settings. */
export const gatewaySettings = {
  rateLimitPerMinute: setting({
    env: 'TIDEWATCH_RATE_LIMIT_PER_MINUTE',
    schema: wholeNumber(1, 1_000_000_000).default(60_000),
    meaning:
      'Requests of ingest that one key may send in a minute, unless the key carries a limit of its own.',
    default: '60000',
    example: '600',
  }),
};
