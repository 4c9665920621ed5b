import type { IdPrefix } from '@tidewatch/contracts/values/id';
import type { Sql } from '@tidewatch/database/connection';
import type { Sender } from '@tidewatch/destinations/sender';
import type { TokenBucket } from '@tidewatch/runtime/limits/token-bucket';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { SecretBox } from '@tidewatch/store/secrets/secret-box';
import type { Store } from 'express-rate-limit';
import type { QueryApiConfig } from './config.ts';
import type { Console } from './console/console.ts';
import type { EventHub } from './events/event-hub.ts';
import type { SessionAccess } from './sessions/session-access.ts';
import type { SignOn } from './single-sign-on/sign-on.ts';

export interface QueryApiOptions
  extends Pick<ServiceEnvironment, 'clock' | 'metrics' | 'logger' | 'commits'> {
  /** A pool whose login is a member of tidewatch_api, and which binds organizations. */
  sql: Sql;
  /** Checks keys and sessions. */
  access: SessionAccess;
  /** The store that counts requests of each API key for the rate limit. Default: the memory of this process. */
  limitStore?: Store | undefined;
  /** The buckets of samples of organizations; undefined if samples are not limited. */
  samples: TokenBucket | undefined;
  newId: (prefix: IdPrefix) => string;
  /** The identity provider with which people sign in; null where none is configured. */
  signOn: SignOn | null;
  /** Reads and writes the secrets of channels, and encrypts sign-ins that are under way. */
  secrets: SecretBox;
  /** Sends test notifications. */
  sender: Sender;
  /** Serves the streams of events. */
  events: Pick<EventHub, 'open'>;
  /** Serves the pages of people. */
  console: Pick<Console, 'addRoutes'>;
  config: QueryApiConfig;
}
