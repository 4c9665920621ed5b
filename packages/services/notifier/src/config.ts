import { databaseSettings } from '@tidewatch/runtime/database-settings';
import { destinationSettings } from '@tidewatch/runtime/destination-settings';
import { groupingSettings } from '@tidewatch/runtime/grouping-settings';
import { heartbeatSettings } from '@tidewatch/runtime/heartbeat-settings';
import { kafkaSettings } from '@tidewatch/runtime/kafka-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/process-settings';
import { secretKeySettings } from '@tidewatch/runtime/secret-key-settings';

/** The settings of the notifier as a process of its own. */
export const processSettings = {
  ...everyProcess,
  ...databaseSettings,
  ...kafkaSettings,
  ...destinationSettings,
  ...secretKeySettings,
  ...heartbeatSettings,
  ...groupingSettings,
};
