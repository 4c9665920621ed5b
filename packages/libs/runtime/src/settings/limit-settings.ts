import { z } from 'zod';
import { setting, wholeNumber } from './config.ts';

/** The settings of request limits, for every service whose requests need a key. */
export const requestLimitSettings = {
  rateLimitPerMinute: setting({
    env: 'TIDEWATCH_RATE_LIMIT_PER_MINUTE',
    schema: wholeNumber(1, 1_000_000_000).default(60_000),
    meaning:
      'Requests that one key may send in a minute, of ingest and of everything else apart, unless the key carries a limit of its own.',
    example: '600',
  }),
};

/** The settings of what one organization may send: gateways hold the limits, and query APIs answer them. */
export const ingestLimitSettings = {
  samplesPerMinute: setting({
    env: 'TIDEWATCH_SAMPLES_PER_MINUTE',
    schema: wholeNumber(1, 1_000_000_000_000).optional(),
    meaning: 'Samples that one organization may send in a minute; without it as many as it likes.',
    example: '6000000',
  }),
  seriesLimit: setting({
    env: 'TIDEWATCH_SERIES_LIMIT',
    schema: wholeNumber(1, 1_000_000_000).default(1_000_000),
    meaning: 'Active series of an organization: metrics of a host or container that came within a day.',
    example: '5000000',
  }),
};

/** The setting of the Redis in which processes of the distributed topology count requests together. */
export const redisSettings = {
  redisUrl: setting({
    env: 'TIDEWATCH_REDIS_URL',
    schema: z
      .string()
      .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
      .optional(),
    meaning:
      'Redis or Valkey, in which all processes of a service count requests and samples together; without it each counts its own.',
    example: 'redis://:secret@redis:6379',
    secret: true,
  }),
};
