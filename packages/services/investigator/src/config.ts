import { databaseSettings, retentionSettings } from '@tidewatch/runtime/database-settings';
import { destinationSettings } from '@tidewatch/runtime/destination-settings';
import { kafkaSettings } from '@tidewatch/runtime/kafka-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/process-settings';
import { investigationSettings } from './investigation-settings.ts';
import { modelSettings } from './model/model-settings.ts';

/** The settings of the investigator as a process of its own. */
export const processSettings = {
  ...everyProcess,
  ...databaseSettings,
  ...kafkaSettings,
  ...retentionSettings,
  ...investigationSettings,
  ...modelSettings,
  publicUrl: destinationSettings.publicUrl,
};
