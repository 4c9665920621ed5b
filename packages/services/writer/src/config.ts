import { databaseSettings, retentionSettings } from '@tidewatch/runtime/settings/database-settings';
import { kafkaSettings } from '@tidewatch/runtime/settings/kafka-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/settings/process-settings';

/** The settings of the writer as a process of its own. */
export const processSettings = {
  ...everyProcess,
  ...databaseSettings,
  ...kafkaSettings,
  ...retentionSettings,
};
