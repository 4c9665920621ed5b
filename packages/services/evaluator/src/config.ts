import { databaseSettings } from '@tidewatch/runtime/database-settings';
import { destinationSettings } from '@tidewatch/runtime/destination-settings';
import { probeSettings } from '@tidewatch/runtime/heartbeat-settings';
import { kafkaSettings } from '@tidewatch/runtime/kafka-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/process-settings';
import { archivingSettings } from './archiving-settings.ts';
import { stormSettings } from './storm-settings.ts';

/** The settings of the evaluator as a process of its own. */
export const processSettings = {
  ...everyProcess,
  ...databaseSettings,
  ...kafkaSettings,
  ...archivingSettings,
  ...probeSettings,
  ...stormSettings,
  publicUrl: destinationSettings.publicUrl,
};
