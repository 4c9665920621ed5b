import { processSettings as evaluator } from '@tidewatch/evaluator/config';
import { processSettings as gateway } from '@tidewatch/gateway/config';
import { processSettings as investigator } from '@tidewatch/investigator/config';
import { processSettings as notifier } from '@tidewatch/notifier/config';
import { processSettings as queryApi } from '@tidewatch/query-api/config';
import type { Settings } from '@tidewatch/runtime/settings/config';
import { processSettings as logging } from '@tidewatch/runtime/settings/process-settings';
import { processSettings as writer } from '@tidewatch/writer/config';
import { proxySettings } from './proxy/config.ts';
import type { Role } from './roles.ts';

/** Every setting of the product's processes, by role. */
export const serviceSettings: Record<Exclude<Role, 'kafka' | 'postgres' | 'redis'>, Settings> = {
  gateway,
  writer,
  evaluator,
  notifier,
  investigator,
  'query-api': queryApi,
  proxy: { ...proxySettings, logLevel: logging.logLevel },
};
