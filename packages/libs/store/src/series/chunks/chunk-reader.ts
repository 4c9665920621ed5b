import type { SeriesReader } from '../series-reader.ts';
import { readEmptyBlocks } from './empty-blocks.ts';
import { readHours } from './hours.ts';
import { readLevels } from './levels.ts';
import { readLastTimes, readMinutes } from './minutes.ts';
import { readNewestBySlot, readNewestTimes, readNewestValues } from './newest.ts';
import { readFirstTime, readRowTimes } from './row-times.ts';
import { readSamples } from './samples.ts';
import { readMeans, readSteps } from './steps/read-steps.ts';
import { readKnown } from './stored/known-chunks.ts';

/** Reads the log of samples, chunks, closed days and their rollups, and the rows of `samples_backfill`. */
export const chunkReader: SeriesReader = {
  know: readKnown,
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
