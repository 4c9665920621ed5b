import { databaseSettings } from '@tidewatch/runtime/settings/database-settings';
import { httpSettings } from '@tidewatch/runtime/settings/http-settings';
import { kafkaSettings } from '@tidewatch/runtime/settings/kafka-settings';
import {
  foreignIngestSettings,
  ingestLimitSettings,
  redisSettings,
  requestLimitSettings,
} from '@tidewatch/runtime/settings/limit-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/settings/process-settings';

/** The gateway's settings. */
export const gatewaySettings = {
  ...requestLimitSettings,
  ...ingestLimitSettings,
  ...foreignIngestSettings,
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
