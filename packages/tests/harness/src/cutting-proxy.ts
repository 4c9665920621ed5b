import { completedBy, createStatementFinder, readMessages } from './postgres-wire.ts';
import { type Passage, startTcpProxy } from './tcp-proxy.ts';

/**
 * The point of a transaction at which a fault happens: before the server receives a statement, before it receives the
 * COMMIT, while it runs the COMMIT, or before the client receives the result.
 */
export type Cut = 'before_statement' | 'before_commit' | 'during_commit' | 'after_commit';

export interface CutOptions {
  /**
   * Matches the statement for `before_statement`, or a statement that a transaction must have run before its COMMIT counts.
   */
  of?: RegExp;
  /**
   * Called before the connection is cut. If it returns a promise, the connection is not cut, and the held bytes are passed
   * on once it resolves.
   */
  strike?(): void | Promise<void>;
}

/** A TCP proxy in front of PostgreSQL that on request loses one statement, COMMIT or response. */
export interface CuttingProxy {
  /** The URL of the database through the proxy. */
  url: string;
  /** Applies a fault to the next matching transaction; resolves once it happened. */
  cut(where: Cut, options?: CutOptions): Promise<void>;
  /** Delays everything that clients send from now on, ms. */
  delay(ms: number): void;
  close(): Promise<void>;
}

interface Armed extends CutOptions {
  where: Cut;
  done(): void;
}

export async function startCuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const target = new URL(databaseUrl);
  let armed: Armed | null = null;
  let delayMs = 0;

  function fire(cut: () => void): Passage {
    const { strike, done } = armed as Armed;
    armed = null;
    const struck = strike?.();
    if (struck instanceof Promise) return struck.then(done);
    cut();
    done();
    return undefined;
  }

  function watch(cut: () => void) {
    const statementOf = createStatementFinder();
    /** The statement or COMMIT that starts in the client's current bytes. */
    let begun: Cut[] = [];
    /** Whether the running transaction has run the statement that `armed` waits for. */
    let meant = false;
    const readClient = readMessages((message) => {
      const statement = statementOf(message);
      if (statement === null) return;
      if (statement.startsWith('begin')) meant = false;
      if (armed?.of?.test(statement)) {
        meant = true;
        begun.push('before_statement');
      }
      if (statement === 'commit') begun.push('before_commit', 'during_commit');
    }, true);
    let completed = false;
    const readServer = readMessages((message) => {
      if (completedBy(message) === 'COMMIT') completed = true;
    }, false);
    const isMeant = () => armed !== null && (armed.of === undefined || meant);
    return {
      fromClient(bytes: Buffer): Passage {
        begun = [];
        readClient(bytes);
        const hit = armed !== null && isMeant() && begun.includes(armed.where);
        if (hit) return armed?.where === 'during_commit' ? () => void fire(cut) : fire(cut);
        return delayMs === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, delayMs));
      },
      fromServer(bytes: Buffer): Passage {
        completed = false;
        readServer(bytes);
        if (!completed) return undefined;
        const hit = armed?.where === 'after_commit' && isMeant();
        meant = false;
        return hit ? fire(cut) : undefined;
      },
    };
  }

  const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port), watch });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${proxy.port}`;
  return {
    url: url.href,
    cut: (where, options = {}) =>
      new Promise((done) => {
        armed = { ...options, where, done };
      }),
    delay(ms) {
      delayMs = ms;
    },
    close: proxy.close,
  };
}
