import type { Tier } from '@tidewatch/domain/rollup/buckets';
import type { Place } from '../series-columns.ts';
import type { SeriesReader } from '../series-reader.ts';
import type { Choices } from './choices.fixture.ts';
import type { SeriesModel } from './series-model.fixture.ts';

/** A series of the model and where it is stored. */
export interface StoredPlace extends Place {
  host: string;
  metric: string;
}

/** A reader with the model that it is compared with. Times in ms. */
export interface Asked {
  reader: SeriesReader;
  model: SeriesModel;
  places: readonly StoredPlace[];
  choices: Choices;
  retained: Readonly<Record<Tier, number>>;
  /** The time before which every minute and hour is rolled up. */
  rolledUpTo: number;
}

export function metricsOfBlock({ places }: Asked, blockId: number): string[] {
  return places.filter((place) => place.blockId === blockId).map(({ metric }) => metric);
}
