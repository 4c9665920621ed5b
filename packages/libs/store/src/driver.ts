/**
 * postgres.js, taken from here by every other file. Node loads it with five faults corrected and two costs taken out,
 * docs/decisions/0076.
 *
 * A query was held for ever, docs/decisions/0024: V8 allocates a function that is assigned to a property where it is
 * written among the old, and two of them for each query kept the young generation from ever letting go of a query.
 *
 * A connection was silent for ever after a copy that it read: the socket pauses when its reader has enough, and only
 * the reader's next read resumes it. When the copy's end came in the same piece of bytes there is no next read.
 * https://github.com/porsager/postgres/issues/499
 *
 * A connection that closed while a write was scheduled never wrote again, not even once it was open anew: every later
 * statement of it waited for ever. What was to be written belongs to the connection that is gone, and goes with it.
 *
 * A connection asked the server for its array types before its first query, and nobody handled the failure to: a server
 * that went away in that moment ended the process. Every connection knows those of `ARRAY_TYPES` without asking, and a
 * pool is opened with `fetch_types: false`. Whoever reserved a connection was told only by the answer to that question.
 *
 * The first query of each statement was held for ever, with its parameters: the error that is kept to say where a
 * statement comes from has the query as receiver in its stack until that is read.
 *
 * What a COPY sends may travel with its statement, as the option `following` of a simple query, in place of waiting for
 * the server to ask for it. A server that refuses the statement passes over it.
 *
 * A result's properties are those of its class: defining five on each took 2 % of the time of a process that stores
 * single payloads.
 */
import { registerHooks } from 'node:module';
import type postgresModule from 'postgres';

type Correction = readonly [from: string, to: string];

/** By type its array type, as `pg_type` of every server has them: all that the schema and the statements use. */
export const ARRAY_TYPES = {
  bool: [16, 1000],
  bytea: [17, 1001],
  int8: [20, 1016],
  int2: [21, 1005],
  int4: [23, 1007],
  text: [25, 1009],
  oid: [26, 1028],
  json: [114, 199],
  float4: [700, 1021],
  float8: [701, 1022],
  date: [1082, 1182],
  timestamptz: [1184, 1185],
  jsonb: [3802, 3807],
} as const;

/** By file of 3.4.9: its text, and what stands there instead. */
const CORRECTIONS = {
  'query.js': [
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
    ['originCache.set(xs, new Error())', 'originCache.set(xs, { stack: new Error().stack })'],
  ],
  'result.js': [
    [
      `  constructor() {
    super()
    Object.defineProperties(this, {
      count: { value: null, writable: true },
      state: { value: null, writable: true },
      command: { value: null, writable: true },
      columns: { value: null, writable: true },
      statement: { value: null, writable: true }
    })
  }
`,
      ['count', 'state', 'command', 'columns', 'statement']
        .map(
          (name) => `  #${name} = null
  get ${name}() { return this.#${name} }
  set ${name}(value) { this.#${name} = value }
`,
        )
        .join(''),
    ],
  ],
  'connection.js': [
    [
      `    return q.options.simple
      ? b().Q().str(q.statement.string + b.N).end()`,
      `    return q.options.simple
      ? q.options.following
        ? Buffer.concat([b().Q().str(q.statement.string + b.N).end(), q.options.following])
        : b().Q().str(q.statement.string + b.N).end()`,
    ],
    [
      `  function CopyInResponse() {
`,
      `  function CopyInResponse() {
    if (query.options.following) return
`,
    ],
    [
      `  queues.closed && queues.closed.push(connection)

  return connection`,
      `  queues.closed && queues.closed.push(connection)
  for (const [oid, typarray] of ${JSON.stringify(Object.values(ARRAY_TYPES))}) addArrayType(oid, typarray)

  return connection`,
    ],
    [
      `      initial && !initial.reserve && execute(initial)
      options.shared.retries = retries = 0
      initial = null
      return`,
      `      const reserves = initial.reserve
      reserves || execute(initial)
      options.shared.retries = retries = 0
      initial = null
      if (!reserves) return`,
    ],
    [
      `    stream && stream.push(null)
    stream = null`,
      `    stream && stream.push(null)
    stream = null
    socket.resume()`,
    ],
    [
      `    clearImmediate(nextWriteTimer)
    socket.removeListener('data', data)`,
      `    clearImmediate(nextWriteTimer)
    nextWriteTimer = chunk = null
    socket.removeListener('data', data)`,
    ],
  ],
} as const satisfies Record<string, readonly Correction[]>;

export type CorrectedFile = keyof typeof CORRECTIONS;
export const CORRECTED_FILES = Object.keys(CORRECTIONS) as CorrectedFile[];

/** The corrected text. Throws for a text in which anything is missing or there twice: what is sent relies on all of it. */
export function correctDriver(file: CorrectedFile, source: string): string {
  const corrections: readonly Correction[] = CORRECTIONS[file];
  const fits = corrections.every(([from]) => source.split(from).length === 2);
  if (!fits) throw new Error(`${file} of postgres.js is not that of the release that is corrected, 3.4.9`);
  return corrections.reduce((text, [from, to]) => text.replace(from, () => to), source);
}

function textOf(source: unknown): string {
  return typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8');
}

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const file = CORRECTED_FILES.find((name) => url.endsWith(`/postgres/src/${name}`));
    return file ? { ...loaded, source: correctDriver(file, textOf(loaded.source)) } : loaded;
  },
});
const loaded = await import('postgres').finally(() => hooks.deregister());

export type { Sql as DriverSql, TransactionSql } from 'postgres';
export const postgres = loaded.default as unknown as typeof postgresModule;
