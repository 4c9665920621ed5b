import type { HistogramState } from './histograms/histogram-state.ts';
import type { Mode } from './metric-place.ts';
import type { SubjectList } from './subjects/subject-list.ts';
import type { SubjectPlace } from './subjects/subject-place.ts';

/** What is kept of a histogram: whether its points count since the last one, its state, and the gauges of its figures. */
export interface HistogramSeries {
  isDelta: boolean;
  state: HistogramState;
  figures: readonly number[];
}

/** Where the values of a series go: to a metric, or to one of several values that make up a metric. */
export interface Destination {
  /** The number of the output, and of the contribution, -1 for none. */
  output: number;
  contribution: number;
  mode: Mode;
  /** For a counter that is stored as it is sent: where that goes. */
  raw: Destination | null;
}

/** A series of a container or process: the list of its host that has it, and where its values go there. */
export interface SubjectSeries {
  /** The number of its host. */
  host: number;
  list: SubjectList;
  place: SubjectPlace;
}
