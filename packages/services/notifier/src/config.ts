import { consoleSettings } from '@tidewatch/runtime/settings/console-settings';
import { databaseSettings } from '@tidewatch/runtime/settings/database-settings';
import { destinationSettings } from '@tidewatch/runtime/settings/destination-settings';
import { groupingSettings } from '@tidewatch/runtime/settings/grouping-settings';
import { heartbeatSettings } from '@tidewatch/runtime/settings/heartbeat-settings';
import { kafkaSettings } from '@tidewatch/runtime/settings/kafka-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/settings/process-settings';
import { secretKeySettings } from '@tidewatch/runtime/settings/secret-key-settings';

/** The notifier's settings. */
export const notifierSettings = {
  ...consoleSettings,
  publicUrl: destinationSettings.publicUrl,
  ...heartbeatSettings,
  ...groupingSettings,
};

/** The settings of the notifier as a process of its own. */
export const processSettings = {
  ...everyProcess,
  ...databaseSettings,
  ...kafkaSettings,
  ...destinationSettings,
  ...secretKeySettings,
  ...notifierSettings,
};
