import type { Sql } from '@tidewatch/database/connection';
import { inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { findInLog, readLog, readLogHead, readNewestId } from '@tidewatch/store/outbox/event-log';
import { type FramedEvent, frameEvent } from './event-frame.ts';

/** Reads events from the log that the relay numbers, in the order of commits. */
export interface LogSource {
  /** Sequence number of the newest event. */
  head(): Promise<number>;
  newestId(organizationId: string, upTo: number): Promise<string | null>;
  find(
    organizationId: string,
    id: string,
    since: number,
  ): Promise<{ sequence: number; late: boolean } | null>;
  /**
   * Reads the oldest events after a sequence number and up to another, and the number up to which these are complete.
   * Concurrent readers with the same arguments share one query.
   */
  read(organizationId: string, after: number, upTo: number): Promise<LogPart>;
}

export interface LogPart {
  events: readonly FramedEvent[];
  upTo: number;
}

/** The max number of events read by one query; an event has some kilobytes. */
const PART = 250;

/**
 * Creates the source of events. Each query is bound to its organization explicitly, because the log is read outside of
 * requests.
 */
export function createLogSource(sql: Sql): LogSource {
  const looks = new Map<string, Promise<LogPart>>();

  async function look(organizationId: string, after: number, upTo: number): Promise<LogPart> {
    const range = { after, upTo, limit: PART };
    const events = await inOrganization(organizationId, () => readLog(sql, organizationId, range));
    const last = events.at(-1);
    const isWhole = last === undefined || events.length < PART;
    return { events: events.map(frameEvent), upTo: isWhole ? upTo : last.sequence };
  }

  return {
    head: () => readLogHead(sql),
    newestId: (organizationId, upTo) =>
      inOrganization(organizationId, () => readNewestId(sql, organizationId, upTo)),
    find: (organizationId, id, since) =>
      inOrganization(organizationId, () => findInLog(sql, organizationId, id, since)),
    read(organizationId, after, upTo) {
      const name = `${organizationId} ${after} ${upTo}`;
      let part = looks.get(name);
      if (part === undefined) {
        part = look(organizationId, after, upTo).finally(() => looks.delete(name));
        looks.set(name, part);
      }
      return part;
    },
  };
}
