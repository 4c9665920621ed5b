import { databaseSettings } from '@tidewatch/runtime/settings/database-settings';
import { kafkaSettings } from '@tidewatch/runtime/settings/kafka-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/settings/process-settings';
import { retentionSettings } from '@tidewatch/runtime/settings/retention-settings';

/** The writer's settings. */
export const writerSettings = retentionSettings;

/** The settings of the writer as a process of its own. */
export const processSettings = {
  ...everyProcess,
  ...databaseSettings,
  ...kafkaSettings,
  ...writerSettings,
};
