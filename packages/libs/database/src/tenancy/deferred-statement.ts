import type { Sql } from '../driver.ts';

type Pending = ReturnType<Sql['unsafe']>;
/** Creates the statement on the connection that runs it. */
export type Statement = (sql: Sql) => PromiseLike<unknown>;

const MODIFIERS = ['values', 'raw', 'simple'] as const;
type Modifier = (typeof MODIFIERS)[number];
/** Methods that are not supported, since they would run the statement on the connection that created it. */
const REFUSED: readonly unknown[] = ['cancel', 'cursor', 'describe', 'forEach', 'readable', 'writable'];

/**
 * Wraps a statement so that it runs by `run`, on another connection, when it is awaited or executed. Inside other
 * statements, it acts as the fragment `made`. Cursors and streams are refused.
 */
export function deferStatement<M extends Promise<unknown>>(
  made: M,
  build: (sql: Sql) => Pending,
  run: (statement: Statement) => Promise<unknown>,
): M {
  const modifiers: Modifier[] = [];
  let answer: Promise<unknown> | undefined;
  const start = () => {
    answer ??= run((sql) =>
      modifiers.reduce((statement, name) => statement[name]() as unknown as Pending, build(sql)),
    );
    return answer;
  };
  const own = new Map<unknown, unknown>([
    ['then', (...args: Parameters<Promise<unknown>['then']>) => start().then(...args)],
    ['catch', (...args: Parameters<Promise<unknown>['catch']>) => start().catch(...args)],
    ['finally', (...args: Parameters<Promise<unknown>['finally']>) => start().finally(...args)],
    [
      'execute',
      () => {
        start();
        return deferred;
      },
    ],
    ...MODIFIERS.map((name): [string, () => M] => [
      name,
      () => {
        modifiers.push(name);
        return deferred;
      },
    ]),
  ]);
  const deferred: M = new Proxy(made, {
    get(target, name) {
      if (REFUSED.includes(name))
        throw new Error(
          `a pool that binds organizations does not support "${String(name)}": use a transaction`,
        );
      return own.get(name) ?? Reflect.get(target, name);
    },
  });
  return deferred;
}
