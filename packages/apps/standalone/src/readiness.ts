import type { BusHealth } from '@tidewatch/bus/bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { Authentication } from '@tidewatch/runtime/auth/authentication';
import type { Admission } from '@tidewatch/runtime/http/admission';
import type { Readiness } from '@tidewatch/runtime/http/health-routes';
import { createReadiness } from '@tidewatch/runtime/http/readiness';
import { secretKeyProbe } from '@tidewatch/store/channels/secret-key-probe';
import type { Sql } from '@tidewatch/store/database/connection';
import { ping } from '@tidewatch/store/database/ping';
import type { SecretBox } from '@tidewatch/store/secrets/secret-box';

export interface ReadinessParts {
  sql: Sql;
  bus: { health(): BusHealth };
  notifier: { reasons(): string[] };
  investigator: { reasons(): string[] };
  admission: Admission;
  authentication: Authentication;
  secrets: SecretBox;
  details: Record<string, unknown>;
}

/** Asks every part of the product how it is; a full disk is `degraded`, since reading goes on. */
export function createProductReadiness(parts: ReadinessParts): () => Promise<Readiness> {
  const { sql, bus, notifier, investigator, admission, authentication, secrets, details } = parts;
  const closed = () => {
    const closure = admission.closure();
    return closure ? [`ingest is closed: ${closure.reason}`] : [];
  };
  /** Whether the bus has trouble with events, or with anything else. */
  const failing = (events: boolean) => {
    const { ok, reasons } = bus.health();
    if (!ok && reasons.length === 0) return !events;
    return reasons.some((reason) => reason.startsWith(`${TOPICS.events}:`) === events);
  };
  return createReadiness({
    missing: [
      // The bus has the database's own words, which belong into the log.
      () => (failing(false) ? ['what arrives cannot be stored at the moment'] : []),
      () => ping(sql),
    ],
    degraded: [
      closed,
      () => (authentication.healthy() ? [] : ['keys cannot be looked up; those seen before go on']),
      () => (failing(true) ? ['who is told of alerts cannot be decided at the moment'] : []),
      () => notifier.reasons(),
      () => investigator.reasons(),
      secretKeyProbe(sql, secrets),
    ],
    details,
  });
}
