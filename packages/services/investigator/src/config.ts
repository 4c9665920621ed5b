import { consoleSettings } from '@tidewatch/runtime/settings/console-settings';
import { databaseSettings } from '@tidewatch/runtime/settings/database-settings';
import { destinationSettings } from '@tidewatch/runtime/settings/destination-settings';
import { kafkaSettings } from '@tidewatch/runtime/settings/kafka-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/settings/process-settings';
import { retentionSettings } from '@tidewatch/runtime/settings/retention-settings';
import { investigationSettings } from './investigation-settings.ts';
import { modelSettings } from './model/model-settings.ts';

/** The investigator's settings. */
export const investigatorSettings = {
  ...consoleSettings,
  ...retentionSettings,
  ...investigationSettings,
  ...modelSettings,
  publicUrl: destinationSettings.publicUrl,
};

/** The settings of the investigator as a process of its own. */
export const processSettings = {
  ...everyProcess,
  ...databaseSettings,
  ...kafkaSettings,
  ...investigatorSettings,
};
