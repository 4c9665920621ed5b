import { resolve } from 'node:path';
import { archivingSettings } from '@tidewatch/evaluator/archiving-settings';
import { stormSettings } from '@tidewatch/evaluator/storm-settings';
import { gatewaySettings } from '@tidewatch/gateway/config';
import { investigationSettings } from '@tidewatch/investigator/investigation-settings';
import { modelSettings } from '@tidewatch/investigator/model/model-settings';
import { consoleServerSettings } from '@tidewatch/query-api/console/console-settings';
import { downloadSettings } from '@tidewatch/query-api/downloads/download-settings';
import { mcpSettings } from '@tidewatch/query-api/mcp/mcp-settings';
import { signOnSettings } from '@tidewatch/query-api/single-sign-on/sign-on-settings';
import { type ConfigOf, onOff, setting, wholeNumber } from '@tidewatch/runtime/settings/config';
import { destinationSettings } from '@tidewatch/runtime/settings/destination-settings';
import { groupingSettings } from '@tidewatch/runtime/settings/grouping-settings';
import { heartbeatSettings } from '@tidewatch/runtime/settings/heartbeat-settings';
import { httpSettings } from '@tidewatch/runtime/settings/http-settings';
import { keySettings } from '@tidewatch/runtime/settings/key-settings';
import { organizationLimitSettings } from '@tidewatch/runtime/settings/organization-limit-settings';
import { processSettings } from '@tidewatch/runtime/settings/process-settings';
import { retentionSettings } from '@tidewatch/runtime/settings/retention-settings';
import { ownSecretKeySettings } from '@tidewatch/runtime/settings/secret-key-settings';
import { sessionSettings } from '@tidewatch/runtime/settings/session-settings';
import { z } from 'zod';

/** All settings of the single-process product. */
export const standaloneSettings = {
  ...httpSettings,
  dataDirectory: setting({
    env: 'TIDEWATCH_DATA_DIR',
    schema: z
      .string()
      .default('.tidewatch')
      .transform((path) => resolve(path)),
    meaning: 'Folder of everything that is kept. One copy at a time uses it.',
    example: '/var/lib/tidewatch',
  }),
  localAgent: setting({
    env: 'TIDEWATCH_LOCAL_AGENT',
    schema: onOff().default(true),
    meaning: 'Whether this machine is reported too, every 10 seconds.',
    example: 'off',
  }),
  starterRules: setting({
    env: 'TIDEWATCH_STARTER_RULES',
    schema: onOff().default(true),
    meaning: 'Whether the first start of an empty installation makes the starter set of alert rules.',
    example: 'off',
  }),
  signInLink: setting({
    env: 'TIDEWATCH_SIGN_IN_LINK',
    schema: onOff().default(true),
    meaning:
      'Whether a start prints a one-time link that signs in to the console. It is printed to a terminal alone.',
    example: 'off',
  }),
  ...keySettings,
  logLevel: processSettings.logLevel,
  minFreeBytes: setting({
    env: 'TIDEWATCH_MIN_FREE_BYTES',
    schema: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(2 ** 30),
    meaning: 'Ingest is closed while the disk of the data has less free space than this, in bytes.',
    example: '10737418240',
  }),
  minFreePercent: setting({
    env: 'TIDEWATCH_MIN_FREE_PERCENT',
    schema: wholeNumber(0, 99).default(5),
    meaning: 'Ingest is closed while the disk of the data has less free space than this, in percent.',
    example: '10',
  }),
  ...retentionSettings,
  ...archivingSettings,
  ...stormSettings,
  ...gatewaySettings,
  ...organizationLimitSettings,
  ...sessionSettings,
  ...signOnSettings,
  ...consoleServerSettings,
  ...downloadSettings,
  ...mcpSettings,
  ...destinationSettings,
  ...ownSecretKeySettings,
  ...heartbeatSettings,
  ...groupingSettings,
  ...investigationSettings,
  ...modelSettings,
};

export type StandaloneConfig = ConfigOf<typeof standaloneSettings>;
