import { Socket } from 'node:net';
import type { Sql } from '../connection.ts';
import { refusedSocket } from '../transaction-lanes.ts';
import { bindingStatement } from './bound-organization.ts';
import { boundTurn, type ConnectionShare, cutOnceGone, type Turn } from './connection-share.ts';

/** What this file needs of a query of postgres.js 3.4.9; its test fails where a release has it otherwise. */
interface DriverQuery extends Promise<unknown> {
  handler: QueryHandler;
  executed: boolean;
  /** Ours: what was bound where the query was made, which is sent only once somebody waits for it. */
  turn: Turn;
  reject(error: unknown): void;
}

type QueryHandler = (query: DriverQuery) => void;

const WAITS = { isFinal: false } as const;

interface Lane {
  sql: Sql;
  /** Puts a query on the lane's connection, behind those that are on it. */
  send: QueryHandler;
  /** What is bound to the connection's session; null before anything was. */
  organization: string | null;
  cut: boolean;
}

/** Told at once and not by a promise: the answer to its query may lie in the same piece of bytes. */
interface Binding extends DriverQuery {
  lane: Lane;
  query: DriverQuery;
  isFresh: boolean;
}

/** Behind a connection that is not there yet the driver would keep a query, and send it by the next one. */
function onBound(this: Binding): void {
  if (this.isFresh) this.lane.send(this.query);
}

function onUnbound(this: Binding, error: unknown): void {
  this.lane.cut = true;
  this.query.reject(error);
}

export interface BoundStatements {
  /** A pool whose statements run with the organization bound that was bound where they were made. */
  sql: Sql;
  close(): Promise<void>;
}

/**
 * Single statements on connections of their own, at most `max`, one at a time on each. A connection remembers what is
 * bound to it; for another organization the binding goes ahead of the statement in the same piece of bytes, so that it
 * costs no round trip. A connection that is lost is not replaced under a statement, which would run with nothing bound.
 */
export function createBoundStatements(
  max: number,
  openLane: (socketOf: (open: () => Socket) => Socket) => Sql,
  share: ConnectionShare,
): BoundStatements {
  const all = new Set<Lane>();
  const idle: Lane[] = [];
  // It makes queries and never connects.
  const maker = openLane(() => new Socket());

  function open(): Lane {
    const lane: Lane = { sql: undefined as unknown as Sql, send: dispatch, organization: null, cut: false };
    let connected = false;
    lane.sql = openLane((connect) => {
      if (connected) return refusedSocket();
      connected = true;
      return connect().on('close', () => {
        lane.cut = true;
      });
    });
    lane.send = (lane.sql`` as unknown as DriverQuery).handler;
    all.add(lane);
    return lane;
  }

  function discard(lane: Lane): void {
    all.delete(lane);
    lane.sql.end({ timeout: 0 }).catch(() => undefined);
  }

  /** There is one for everybody who has a share. */
  function take(organization: string): Lane {
    for (let index = idle.length - 1; index >= 0; index--) {
      const lane = idle[index] as Lane;
      if (!lane.cut) continue;
      idle.splice(index, 1);
      discard(lane);
    }
    const own = idle.findLastIndex((lane) => lane.organization === organization);
    if (own !== -1) return idle.splice(own, 1)[0] as Lane;
    return all.size < max ? open() : (idle.shift() as Lane);
  }

  function giveBack(lane: Lane): void {
    if (lane.cut) discard(lane);
    else idle.push(lane);
  }

  function dispatch(query: DriverQuery): void {
    const { organization, signal } = query.turn;
    if (signal?.aborted === true) {
      query.reject(signal.reason);
      return;
    }
    const holding = share.tryTake(organization, 1, WAITS);
    if (holding !== undefined) {
      run(take(organization), query, holding);
      return;
    }
    share.take(organization, 1, signal).then(
      (later) => run(take(organization), query, later),
      (error: unknown) => query.reject(error),
    );
  }

  function run(lane: Lane, query: DriverQuery, holding: { release(): void }): void {
    const { organization, signal } = query.turn;
    const end = cutOnceGone(signal, () => {
      lane.cut = true;
      lane.sql.end({ timeout: 0 }).catch(() => undefined);
    });
    const settle = () => {
      giveBack(lane);
      end(() => holding.release());
    };
    Promise.prototype.then.call(query, settle, settle);
    if (lane.organization === organization) {
      lane.send(query);
      return;
    }
    const isFresh = lane.organization === null;
    lane.organization = organization;
    const made = lane.sql.unsafe(bindingStatement(organization, 'session')) as unknown as DriverQuery;
    const bind: Binding = Object.assign(made, { lane, query, isFresh, resolve: onBound, reject: onUnbound });
    bind.executed = true;
    lane.send(bind);
    if (!isFresh) lane.send(query);
  }

  function bound<Q>(made: Q): Q {
    if (made instanceof Promise) Object.assign(made, { handler: dispatch, turn: boundTurn() });
    return made;
  }

  const make = maker as unknown as (...args: unknown[]) => unknown;
  const unsafe = maker.unsafe as (...args: unknown[]) => unknown;
  const sql = Object.assign((...args: unknown[]) => bound(make(...args)), maker, {
    unsafe: (...args: unknown[]) => bound(unsafe(...args)),
  });
  return {
    sql: sql as unknown as Sql,
    close: async () => {
      await Promise.all([maker, ...[...all].map((lane) => lane.sql)].map((each) => each.end({ timeout: 5 })));
    },
  };
}
