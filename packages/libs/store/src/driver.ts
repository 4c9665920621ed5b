/**
 * postgres.js, taken from here by every other file. Node loads it with one class corrected, docs/decisions/0024:
 * V8 allocates a function that is assigned to a property where it is written among the old, and two of them for each
 * query kept the young generation from ever letting go of a query.
 */
import { registerHooks } from 'node:module';
import type postgresModule from 'postgres';

/** Text of the class Query of 3.4.9, and what stands there instead. */
const CORRECTIONS: readonly (readonly [from: string, to: string])[] = [
  [
    `    this.resolve = x => (this.active = false, resolve(x))
    this.reject = x => (this.active = false, reject(x))

    this.active`,
    `    this.settleWith = resolve
    this.failWith = reject

    this.active`,
  ],
  [
    '\n  get origin() {',
    `
  resolve(x) {
    this.active = false
    this.settleWith(x)
  }

  reject(x) {
    this.active = false
    this.failWith(x)
  }

  get origin() {`,
  ],
];

/** The corrected text; a text in which anything is missing or there twice stays as it is. */
export function correctQuery(source: string): string {
  const fits = CORRECTIONS.every(([from]) => source.split(from).length === 2);
  return fits ? CORRECTIONS.reduce((text, [from, to]) => text.replace(from, () => to), source) : source;
}

function textOf(source: unknown): string {
  return typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8');
}

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/postgres/src/query.js')) return loaded;
    return { ...loaded, source: correctQuery(textOf(loaded.source)) };
  },
});
const loaded = await import('postgres').finally(() => hooks.deregister());

export type { Sql as DriverSql, TransactionSql } from 'postgres';
export const postgres = loaded.default as unknown as typeof postgresModule;
