import { setting, wholeNumber } from '@tidewatch/runtime/settings/config';
import { databaseSettings } from '@tidewatch/runtime/settings/database-settings';
import { httpSettings } from '@tidewatch/runtime/settings/http-settings';
import { kafkaSettings } from '@tidewatch/runtime/settings/kafka-settings';
import { redisSettings, requestLimitSettings } from '@tidewatch/runtime/settings/limit-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/settings/process-settings';

/** The gateway's settings. */
export const gatewaySettings = {
  ...requestLimitSettings,
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
    default: '1000000',
    example: '5000000',
  }),
};

/** The settings of the gateway as a process of its own. */
export const processSettings = {
  ...httpSettings,
  ...everyProcess,
  ...databaseSettings,
  ...kafkaSettings,
  ...redisSettings,
  ...gatewaySettings,
};
