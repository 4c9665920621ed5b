import type { Retention } from '@tidewatch/domain/rollup/buckets';
import { databaseSettings } from '@tidewatch/runtime/settings/database-settings';
import { destinationSettings } from '@tidewatch/runtime/settings/destination-settings';
import { httpSettings } from '@tidewatch/runtime/settings/http-settings';
import {
  ingestLimitSettings,
  redisSettings,
  requestLimitSettings,
} from '@tidewatch/runtime/settings/limit-settings';
import {
  type OrganizationLimits,
  organizationLimitSettings,
} from '@tidewatch/runtime/settings/organization-limit-settings';
import { processSettings as everyProcess } from '@tidewatch/runtime/settings/process-settings';
import { retentionSettings } from '@tidewatch/runtime/settings/retention-settings';
import { secretKeySettings } from '@tidewatch/runtime/settings/secret-key-settings';
import { sessionSettings } from '@tidewatch/runtime/settings/session-settings';
import { consoleServerSettings } from './console/console-settings.ts';
import { downloadSettings } from './downloads/download-settings.ts';
import { mcpSettings } from './mcp/mcp-settings.ts';
import { signOnSettings } from './single-sign-on/sign-on-settings.ts';

/** Settings of the installation that the query API uses. */
export interface QueryApiConfig {
  /** The retention of each tier, ms, which the writer enforces; requested series are cut to it. */
  retention: Retention;
  /** The public URL of Tidewatch, if it is known. */
  publicUrl: string | null;
  /** The URL that links in events begin with; null for no links. */
  consoleUrl: string | null;
  /** The max number of requests of a key in a minute. */
  rateLimitPerMinute: number;
  /** Whether a new organization gets the starter set of rules. */
  starterRules: boolean;
  /** Which private addresses channels may have: all, those of some networks (CIDR), or none. */
  allowPrivateDestinations: boolean | readonly string[];
  /** Whether a mail server is configured, without which no email is sent. */
  hasMailServer: boolean;
  /** Samples that one organization may send in a minute; null: as many as it likes. */
  samplesPerMinute: number | null;
  /** Active series of an organization. */
  seriesLimit: number;
  /** Active parts of a host. */
  hostPartsLimit: number;
  /** Active series of the parts of a host. */
  hostPartSeriesLimit: number;
  /** Limits of what one organization may store. */
  limits: OrganizationLimits;
  /** Days without a request after which a session of a person ends. */
  sessionIdleDays: number;
  /** Minutes after sign-in or confirmation for which a session may use privileged scopes. */
  sessionConfirmMinutes: number;
  /** Whether keys sign people in. */
  hasKeySignIn: boolean;
  /** The folder of the packages of the agent; null where none is named. */
  downloadDirectory: string | null;
  /** Whether assistants may connect by the Model Context Protocol. */
  hasMcp: boolean;
  /** Whether all services are in this process, or each has its own. */
  topology: 'embedded' | 'distributed';
}

/** The query API's settings. */
export const queryApiSettings = {
  ...retentionSettings,
  ...destinationSettings,
  ...requestLimitSettings,
  ...ingestLimitSettings,
  ...organizationLimitSettings,
  ...sessionSettings,
  ...signOnSettings,
  ...consoleServerSettings,
  ...downloadSettings,
  ...mcpSettings,
};

/** The settings of the query API as a process of its own. */
export const processSettings = {
  ...httpSettings,
  ...everyProcess,
  ...databaseSettings,
  ...secretKeySettings,
  ...redisSettings,
  ...queryApiSettings,
};
