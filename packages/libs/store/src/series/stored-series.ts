import { rowReader } from './rows/row-reader.ts';
import type { SeriesReader } from './series-reader.ts';

/** The reader of stored samples and rollups, whatever the storage backend of the database. */
export const storedSeries: SeriesReader = rowReader;
