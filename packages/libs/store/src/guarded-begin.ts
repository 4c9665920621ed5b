import type { Sql, Transaction } from './connection.ts';

/** What the driver's queries and connections are beneath their types. */
interface DriverQuery {
  options: { onexecute?: (connection: DriverConnection) => boolean };
}
interface DriverConnection {
  onclose: ((error: unknown) => void) | null;
}

/** The connection of a transaction closed before its end; nothing more of it can be sent. */
export class ConnectionLostError extends Error {
  override name = 'ConnectionLostError';
  readonly code = 'CONNECTION_CLOSED';
}

const never = new Promise<never>(() => {});

/**
 * `begin` of a pool, made safe against the loss of the connection. In postgres.js 3.4.9 every statement after it,
 * the driver's own rollback included, is written to a socket that is null, which ends the process; and `begin`
 * rejects while the work still runs. Here nothing is sent any more, and the answer waits for the work to end.
 */
export function guardBegin(sql: Sql): Sql['begin'] {
  const begin = sql.begin.bind(sql) as (mode: string, work: (tx: Transaction) => Promise<unknown>) => unknown;
  async function guarded(...args: [...mode: string[], work: (tx: Transaction) => Promise<unknown>]) {
    const work = args.at(-1) as (tx: Transaction) => Promise<unknown>;
    const mode = args.length > 1 ? (args[0] as string) : '';
    let ended: Promise<unknown> = Promise.resolve();
    try {
      return await begin(mode, async (tx) => {
        const guard = guardTransaction(tx);
        const result = Promise.resolve().then(() => work(guard.tx));
        ended = result.catch(() => undefined);
        await ended;
        return guard.isLost()
          ? never
          : result.catch((error) => (closes(error) ? never : Promise.reject(error)));
      });
    } catch (error) {
      await ended;
      throw error;
    }
  }
  return guarded as Sql['begin'];
}

/** Whether the connection closes for this error, so that the driver's rollback must not be sent either. */
function closes(error: unknown): boolean {
  const cause = (error as { cause?: unknown } | null)?.cause;
  const codes = [error, cause].map((each) => (each as { code?: unknown } | null | undefined)?.code);
  return codes.some((code) => typeof code === 'string' && /^(CONNECTION_|ECONN|EPIPE|57P0[1-3])/.test(code));
}

/** The same transaction, which throws ConnectionLostError instead of sending once its connection is lost. */
function guardTransaction(tx: Transaction): { tx: Transaction; isLost(): boolean } {
  let lost = false;
  let watching = false;

  const watch = (connection: DriverConnection): boolean => {
    if (watching) return true;
    watching = true;
    const { onclose } = connection;
    connection.onclose = (error) => {
      lost = true;
      onclose?.(error);
    };
    return true;
  };

  function checked<T>(made: T): T {
    const query = made as { options?: DriverQuery['options']; handler?: unknown } | undefined;
    if (query?.options === undefined || query.handler === undefined) return made;
    if (lost) throw new ConnectionLostError('the connection was lost within a transaction');
    // The driver does not call it for a statement that it has to describe first, so the next one gets it, too.
    if (!watching) query.options.onexecute = watch;
    return made;
  }

  const guarded = new Proxy(tx, {
    apply: (target, self, args) => checked(Reflect.apply(target as never, self, args)),
    get(target, name) {
      const member = Reflect.get(target, name);
      if (name !== 'unsafe') return member;
      return (...args: unknown[]) => checked(Reflect.apply(member, target, args));
    },
  });
  return { tx: guarded, isLost: () => lost };
}
