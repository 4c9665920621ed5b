import { consoleSettings } from '@tidewatch/runtime/settings/console-settings';
import { databaseSettings } from '@tidewatch/runtime/settings/database-settings';
import { destinationSettings } from '@tidewatch/runtime/settings/destination-settings';
import { probeSettings } from '@tidewatch/runtime/settings/heartbeat-settings';
import { kafkaSettings } from '@tidewatch/runtime/settings/kafka-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/settings/process-settings';
import { archivingSettings } from './archiving-settings.ts';
import { stormSettings } from './storm-settings.ts';

/** The evaluator's settings. */
export const evaluatorSettings = {
  ...consoleSettings,
  ...archivingSettings,
  ...probeSettings,
  ...stormSettings,
  publicUrl: destinationSettings.publicUrl,
};

/** The settings of the evaluator as a process of its own. */
export const processSettings = {
  ...everyProcess,
  ...databaseSettings,
  ...kafkaSettings,
  ...evaluatorSettings,
};
