import type { Queryable } from '@tidewatch/database/connection';

/** How a database keeps samples: as rows of sixteen slots, or as a log that is sealed into chunks. */
export type SampleLayout = 'rows' | 'log';

/** Reads in which layout the database keeps samples. */
export async function readSampleLayout(sql: Queryable): Promise<SampleLayout> {
  const [row] = await sql<{ sample_layout: SampleLayout }[]>`select sample_layout from storage_backend`;
  if (row === undefined) throw new Error('the database has no storage backend');
  return row.sample_layout;
}

/** What is known of databases, by the options of a connection or pool, which are an object of its own. */
const known = new WeakMap<object, SampleLayout>();

/** The same, read once for each connection or pool: a database changes it only while no process of the product is connected. */
export async function sampleLayoutOf(sql: Queryable): Promise<SampleLayout> {
  const { options } = sql as { options?: object };
  const remembered = options && known.get(options);
  if (remembered !== undefined) return remembered;
  const layout = await readSampleLayout(sql);
  if (options) known.set(options, layout);
  return layout;
}
