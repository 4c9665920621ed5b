import type { Retention } from '@tidewatch/domain/rollup/tier';
import { databaseSettings, retentionSettings } from '@tidewatch/runtime/database-settings';
import { httpSettings } from '@tidewatch/runtime/http-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/process-settings';

/** What the query API needs to know of the installation. */
export interface QueryApiConfig {
  /** How long each tier is kept, ms; what the writer enforces and what a series is clipped to. */
  retention: Retention;
}

/** The settings of the query API as a process of its own. */
export const processSettings = {
  ...httpSettings,
  ...everyProcess,
  ...databaseSettings,
  ...retentionSettings,
};
