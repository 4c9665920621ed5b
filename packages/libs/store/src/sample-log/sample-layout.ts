import type { Queryable, Transaction } from '@tidewatch/database/connection';

/** How a database keeps samples: as rows of sixteen slots, or as a log that is sealed into chunks. */
export type SampleLayout = 'rows' | 'log';

/** The layout of a database, and whether it is changing from rows to a log. */
export interface SampleState {
  /** What is read. */
  layout: SampleLayout;
  /** Whether both layouts exist: before the change writers also write the log, afterwards rows stay for older transactions. */
  isConverting: boolean;
}

/** Whether new samples are written in this layout. */
export function writesLayout({ layout, isConverting }: SampleState, wanted: SampleLayout): boolean {
  return layout === wanted || (isConverting && wanted === 'log');
}

/** Reads the state of the layout in the snapshot of the caller. */
export async function readSampleState(sql: Queryable): Promise<SampleState> {
  return (await readRow(sql)).state;
}

/** Reads in which layout the database keeps samples. */
export async function readSampleLayout(sql: Queryable): Promise<SampleLayout> {
  return (await readSampleState(sql)).layout;
}

/** States that never change, by the options of a connection or pool, which are an object of its own. */
const known = new WeakMap<object, SampleState>();

/**
 * The same, without a statement once it cannot change: a log is never changed back, TimescaleDB Community keeps rows, and a
 * conversion ends when no snapshot from before it is left.
 */
export async function sampleStateOf(sql: Queryable): Promise<SampleState> {
  const remembered = rememberedOf(sql);
  if (remembered !== undefined) return remembered;
  const { name, state } = await readRow(sql);
  const { options } = sql as { options?: object };
  if (options && (name === 'community' || (state.layout === 'log' && !state.isConverting)))
    known.set(options, state);
  return state;
}

/** The layout that is read in the snapshot of the caller. */
export async function sampleLayoutOf(sql: Queryable): Promise<SampleLayout> {
  return (await sampleStateOf(sql)).layout;
}

/** The advisory lock of the state: writers of samples hold it shared, and what changes the state holds it alone. */
const STATE_LOCK = 7_115_030_008;

/**
 * The same, and keeps the state from changing until the transaction ends, which has to be read committed. To be called before samples
 * are written.
 */
export async function holdSampleState(tx: Transaction): Promise<SampleState> {
  const remembered = rememberedOf(tx);
  if (remembered !== undefined) return remembered;
  // Two statements that are sent together: the second one has a snapshot from after the lock.
  const [, state] = await Promise.all([
    tx`select pg_advisory_xact_lock_shared(${STATE_LOCK}::bigint)`,
    sampleStateOf(tx),
  ]);
  return state;
}

/** Waits for all who hold the state, and keeps others away until the transaction ends. */
export async function takeSampleState(tx: Transaction): Promise<SampleState> {
  await tx`select pg_advisory_xact_lock(${STATE_LOCK}::bigint)`;
  return await readSampleState(tx);
}

function rememberedOf(sql: Queryable): SampleState | undefined {
  const { options } = sql as { options?: object };
  return options && known.get(options);
}

async function readRow(sql: Queryable): Promise<{ name: string; state: SampleState }> {
  const [row] = await sql<{ name: string; sample_layout: SampleLayout; is_converting: boolean }[]>`
    select name, sample_layout, is_converting from storage_backend`;
  if (row === undefined) throw new Error('the database has no storage backend');
  return { name: row.name, state: { layout: row.sample_layout, isConverting: row.is_converting } };
}
