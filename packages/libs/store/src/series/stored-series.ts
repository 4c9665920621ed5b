import type { Queryable } from '@tidewatch/database/connection';
import { sampleLayoutOf } from '../sample-log/sample-layout.ts';
import { chunkReader } from './chunks/chunk-reader.ts';
import { rowReader } from './rows/row-reader.ts';
import type { SeriesReader } from './series-reader.ts';

const READERS = { rows: rowReader, log: chunkReader };

/** The reader of stored samples and rollups, whatever the storage backend of the database and its layout of samples. */
export const storedSeries: SeriesReader = {
  know: byLayout('know'),
  steps: byLayout('steps'),
  means: byLayout('means'),
  samples: byLayout('samples'),
  newestTimes: byLayout('newestTimes'),
  newestValues: byLayout('newestValues'),
  newestBySlot: byLayout('newestBySlot'),
  rowTimes: byLayout('rowTimes'),
  firstTime: byLayout('firstTime'),
  levels: byLayout('levels'),
  emptyBlocks: byLayout('emptyBlocks'),
  minutes: byLayout('minutes'),
  lastTimes: byLayout('lastTimes'),
  hours: byLayout('hours'),
};

/** A method that hands its arguments on to the reader of the layout of the database. */
function byLayout<M extends keyof SeriesReader>(method: M): SeriesReader[M] {
  const read = async (tx: Queryable, ...request: unknown[]): Promise<unknown> => {
    const reader = READERS[await sampleLayoutOf(tx)];
    return await Reflect.apply(reader[method], reader, [tx, ...request]);
  };
  return read as SeriesReader[M];
}
