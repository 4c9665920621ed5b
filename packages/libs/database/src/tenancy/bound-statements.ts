import { Socket } from 'node:net';
import type { Sql } from '../driver.ts';
import { sendAhead } from '../send-ahead.ts';
import { RefusedSocket } from '../transaction-lanes.ts';
import { bindingStatement } from './bound-organization.ts';
import { type BoundWork, boundWork, type ConnectionShare, cutAfterDisconnect } from './connection-share.ts';
import { deferStatement, type Statement } from './deferred-statement.ts';

const WAITS = { isFinal: false } as const;

interface Lane {
  sql: Sql;
  /** The organization that is bound to the session; null before the first binding. */
  organization: string | null;
  cut: boolean;
}

export interface BoundStatements {
  /** A pool whose statements run with the organization that was bound where they were created. */
  sql: Sql;
  close(): Promise<void>;
}

/**
 * Runs single statements on at most `max` connections, one at a time on each. If a connection has another organization
 * bound, the binding is sent together with the statement. A connection that is lost during a statement is not replaced,
 * because the statement would run without a binding.
 */
export function createBoundStatements(
  max: number,
  openLane: (socketOf: (open: () => Socket) => Socket) => Sql,
  share: ConnectionShare,
): BoundStatements {
  const all = new Set<Lane>();
  const idle: Lane[] = [];
  // Only creates fragments; never connects.
  const maker = openLane(() => new Socket());

  function open(): Lane {
    const lane: Lane = { sql: maker, organization: null, cut: false };
    const cut = () => {
      lane.cut = true;
    };
    let connected = false;
    lane.sql = openLane((connect) => {
      if (connected) return new RefusedSocket();
      connected = true;
      return connect().on('error', cut).on('close', cut);
    });
    all.add(lane);
    return lane;
  }

  function discard(lane: Lane): void {
    all.delete(lane);
    lane.sql.end({ timeout: 0 }).catch(() => undefined);
  }

  /** Returns a lane; the share guarantees that one is free or can be opened. */
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

  /** Runs a statement with the organization that was bound where it was created. */
  async function run(statement: Statement, { organization, signal }: BoundWork): Promise<unknown> {
    signal?.throwIfAborted();
    const holding = share.tryTake(organization, 1, WAITS) ?? (await share.take(organization, 1, signal));
    const lane = take(organization);
    const end = cutAfterDisconnect(signal, () => {
      lane.cut = true;
      lane.sql.end({ timeout: 0 }).catch(() => undefined);
    });
    try {
      return await runOn(lane, organization, statement);
    } finally {
      giveBack(lane);
      end(() => holding.release());
    }
  }

  function defer<M extends Promise<unknown>>(made: M, build: (sql: Sql) => ReturnType<Sql['unsafe']>): M {
    const bound = boundWork();
    return deferStatement(made, build, (statement) => run(statement, bound));
  }

  return {
    sql: new Proxy(maker, {
      apply(target, self, args) {
        const made: unknown = Reflect.apply(target as never, self, args);
        // Returns identifiers, values and rows as they are, since they are not statements.
        return made instanceof Promise
          ? defer(made, (sql) => Reflect.apply(sql as never, undefined, args))
          : made;
      },
      get(target, name) {
        if (name !== 'unsafe') return Reflect.get(target, name);
        return (...args: Parameters<Sql['unsafe']>) =>
          defer(target.unsafe(...args), (sql) => sql.unsafe(...args));
      },
    }),
    close: async () => {
      await Promise.all([maker, ...[...all].map((lane) => lane.sql)].map((each) => each.end({ timeout: 5 })));
    },
  };
}

/**
 * Runs a statement after its binding. If the binding fails, the statement's result is discarded, since it may have run with
 * the previous binding.
 */
async function runOn(lane: Lane, organization: string, statement: Statement): Promise<unknown> {
  if (lane.organization === organization) return await statement(lane.sql);
  const isFresh = lane.organization === null;
  lane.organization = organization;
  const binding = sendAhead(lane.sql.unsafe(bindingStatement(organization, 'session')));
  try {
    // Waits for the first binding of a new connection: if connecting fails, the driver would send queued statements on the
    // next connection.
    if (isFresh) await binding;
    const [, answer] = await Promise.all([binding, statement(lane.sql)]);
    return answer;
  } catch (error) {
    await binding.catch(() => {
      lane.cut = true;
    });
    throw error;
  }
}
