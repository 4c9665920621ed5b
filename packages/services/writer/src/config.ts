import { databaseSettings, retentionSettings } from '@tidewatch/runtime/database-settings';
import { kafkaSettings } from '@tidewatch/runtime/kafka-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/process-settings';

/** The settings of the writer as a process of its own. */
export const processSettings = {
  ...everyProcess,
  ...databaseSettings,
  ...kafkaSettings,
  ...retentionSettings,
};
