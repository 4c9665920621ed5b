import type { SeriesReader } from '../series-reader.ts';
import { readEmptyBlocks } from './empty-blocks.ts';
import { readHours } from './hours.ts';
import { KnownRows, readFacts } from './known-rows.ts';
import { readLevels } from './levels.ts';
import { readLastTimes, readMinutes } from './minutes.ts';
import { readNewestBySlot, readNewestTimes, readNewestValues } from './newest.ts';
import { readFirstTime, readRowTimes } from './row-times.ts';
import { readSamples } from './samples.ts';
import { readMeans, readSteps } from './steps.ts';

/** Reads rows of `samples`, `samples_backfill` and the rollups by SQL, which every storage backend has. */
export const rowReader: SeriesReader = {
  know: async (tx, blockIds, range) => new KnownRows(range, await readFacts(tx, blockIds, range)),
  steps: readSteps,
  means: readMeans,
  samples: readSamples,
  newestTimes: readNewestTimes,
  newestValues: readNewestValues,
  newestBySlot: readNewestBySlot,
  rowTimes: readRowTimes,
  firstTime: readFirstTime,
  levels: readLevels,
  emptyBlocks: readEmptyBlocks,
  minutes: readMinutes,
  lastTimes: readLastTimes,
  hours: readHours,
};
