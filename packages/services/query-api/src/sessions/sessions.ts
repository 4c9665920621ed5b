import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { KeyAccess } from '@tidewatch/runtime/auth/key-access';
import { type KeyUses, startKeyUses } from '@tidewatch/runtime/auth/key-uses';
import type { ServiceEnvironment, ServicePart } from '@tidewatch/runtime/process/backend-service';
import { countOpenSessions, readCookieId, sessionSource } from '@tidewatch/store/sessions/find';
import { recordSessionUses } from '@tidewatch/store/sessions/record-uses';
import type { QueryApiConfig } from '../config.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { isDownload } from './downloads.ts';
import { createSessionAccess, type SessionAccess } from './session-access.ts';
import { createSessionMetrics } from './session-metrics.ts';

interface SessionsEnvironment extends ServiceEnvironment, Pick<QueryApiOptions, 'sql'> {
  keys: KeyAccess;
  config: Pick<QueryApiConfig, 'sessionIdleDays'> & { publicUrl?: string | null | undefined };
}

/** Time between two counts of the open sessions, ms. */
const COUNT_EVERY_MS = 15_000;

/** The check of keys and sessions, and the part that records when sessions were used. */
export function createSessions(environment: SessionsEnvironment): {
  access: SessionAccess;
  uses: ServicePart;
} {
  const { sql, keys, config, clock, metrics, logger } = environment;
  const counted = createSessionMetrics(metrics);
  let uses: KeyUses | undefined;
  let counting: NodeJS.Timeout | undefined;
  const access = createSessionAccess({
    authentication: keys.authentication,
    sessions: sessionSource(sql),
    readCookieId: () => readCookieId(sql),
    isDownload,
    clock,
    publicUrl: config.publicUrl ?? null,
    idleDays: config.sessionIdleDays,
    keyUses: keys.uses,
    sessionUses: { note: (session) => uses?.note(session) },
    refusedCrossSite: counted.crossSite,
    logger,
  });
  const part: ServicePart = {
    name: 'uses of sessions',
    starts: 'before the bus',
    start() {
      uses = startKeyUses({
        write: (noted) => recordSessionUses(sql, noted),
        clock,
        logger,
        what: 'sessions',
      });
      count();
      counting = setInterval(count, COUNT_EVERY_MS).unref();
    },
    stop() {
      clearInterval(counting);
      return uses?.stop();
    },
  };
  return { access, uses: part };

  function count(): void {
    countOpenSessions(sql, clock() - config.sessionIdleDays * DAY_MS).then(counted.open, (error: unknown) =>
      logger.debug({ err: error }, 'could not count open sessions; retrying'),
    );
  }
}
