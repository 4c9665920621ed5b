import { setting, wholeNumber } from '@tidewatch/runtime/config';
import { databaseSettings } from '@tidewatch/runtime/database-settings';
import { httpSettings } from '@tidewatch/runtime/http-settings';
import { kafkaSettings } from '@tidewatch/runtime/kafka-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/process-settings';
import { z } from 'zod';

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

/** The settings of the gateway as a process of its own. */
export const processSettings = {
  ...httpSettings,
  ...everyProcess,
  ...databaseSettings,
  ...kafkaSettings,
  redisUrl: setting({
    env: 'TIDEWATCH_REDIS_URL',
    schema: z
      .string()
      .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
      .optional(),
    meaning:
      'Redis or Valkey, in which all gateways count requests together; without it each counts its own.',
    example: 'redis://:secret@redis:6379',
    secret: true,
  }),
  ...gatewaySettings,
};
