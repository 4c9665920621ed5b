import { databaseSettings } from '@tidewatch/runtime/database-settings';
import { httpSettings } from '@tidewatch/runtime/http-settings';
import { kafkaSettings } from '@tidewatch/runtime/kafka-settings';
import { redisSettings, requestLimitSettings } from '@tidewatch/runtime/limits/limit-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/process-settings';

/** The gateway's settings. */
export const gatewaySettings = {
  ...requestLimitSettings,
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
