import { Socket } from 'node:net';
import type { Sql } from '../driver.ts';
import { sendAhead } from '../send-ahead.ts';
import { RefusedSocket } from '../transaction-lanes.ts';
import { bindingStatement } from './bound-organization.ts';
import { boundTurn, type ConnectionShare, cutOnceGone, type Turn } from './connection-share.ts';
import { deferStatement, type Statement } from './deferred-statement.ts';

const WAITS = { isFinal: false } as const;

interface Lane {
  sql: Sql;
  /** What is bound to the connection's session; null before anything was. */
  organization: string | null;
  cut: boolean;
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
  // It makes fragments and never connects.
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

  /** Runs a statement with what was bound where it was made; it is sent only once somebody waits for it. */
  async function run(statement: Statement, { organization, signal }: Turn): Promise<unknown> {
    signal?.throwIfAborted();
    const holding = share.tryTake(organization, 1, WAITS) ?? (await share.take(organization, 1, signal));
    const lane = take(organization);
    const end = cutOnceGone(signal, () => {
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
    const turn = boundTurn();
    return deferStatement(made, build, (statement) => run(statement, turn));
  }

  return {
    sql: new Proxy(maker, {
      apply(target, self, args) {
        const made: unknown = Reflect.apply(target as never, self, args);
        // Names, values and rows are no statements.
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

/** Where the binding fails, what the statement answers is not told: it may have seen what was bound before. */
async function runOn(lane: Lane, organization: string, statement: Statement): Promise<unknown> {
  if (lane.organization === organization) return await statement(lane.sql);
  const isFresh = lane.organization === null;
  lane.organization = organization;
  const binding = sendAhead(lane.sql.unsafe(bindingStatement(organization, 'session')));
  try {
    // Behind a connection that is not there yet the driver would keep the statement, and send it by the next one.
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
