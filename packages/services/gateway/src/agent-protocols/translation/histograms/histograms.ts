import type { PointBatch } from '../../series/point-batch.ts';
import type { HistogramPoint } from '../../series/sent-series.ts';
import type { HistogramSeries } from '../destination.ts';
import { type Fate, STORED } from '../fate.ts';
import type { KnownSeries } from '../known-series.ts';
import type { Sender } from '../sender.ts';
import { beyondLimit, type SeriesPlacer } from '../series-placer.ts';
import { FIGURES, type Figures, type HistogramState } from './histogram-state.ts';
import { percentileOf } from './percentile.ts';

const NO_STATE: HistogramState = { time: 0, point: null, figures: {} };

/** The max number of bounds of which percentiles are computed. */
const MAX_BOUNDS = 160;

/** Turns points of histograms into points of gauges, of one organization. */
export class Histograms {
  readonly #placer: SeriesPlacer;
  readonly #known: KnownSeries;

  constructor(placer: SeriesPlacer, known: KnownSeries) {
    this.#placer = placer;
    this.#known = known;
  }

  /**
   * Appends points of gauges to the batch for each of its points of histograms. Returns a function that moves the states, which is
   * called once the points are published.
   */
  expand(batch: PointBatch, sender: Sender): () => void {
    if (batch.histograms.length === 0) return nothing;
    const states = new Map<HistogramSeries, HistogramState>();
    for (const { series, time, point, start } of batch.histograms) {
      const fate = this.#known.fateOf(series) ?? this.#settle(series, sender);
      const histogram = this.#known.histogramOf(series);
      if (fate.kind === 'omitted') batch.omit(fate.reason, 1);
      else if (fate.kind === 'rejected') batch.rejectHistograms(fate.reason, 1, fate.example);
      else if (histogram !== undefined) {
        const before = states.get(histogram) ?? histogram.state;
        const at = time === 0 && sender.zeroIsArrival ? sender.receivedAt : time;
        const figures = figuresOf(histogram.isDelta, before, at, point, start);
        if (!histogram.isDelta && at > before.time) states.set(histogram, { time: at, point, figures });
        for (const [index, figure] of FIGURES.entries()) {
          const value = figures[figure];
          const gauge = histogram.figures[index];
          if (value !== undefined && gauge !== undefined) batch.point(gauge, at, value, 0);
        }
      }
    }
    return () => {
      for (const [histogram, state] of states) if (state.time > histogram.state.time) histogram.state = state;
    };
  }

  #settle(series: number, sender: Sender): Fate {
    const sent = this.#known.sentOf(series);
    if (sent === undefined) return STORED;
    const placed = this.#placer.place({ ...sent, type: 'gauge' }, sender);
    if ('kind' in placed) {
      if (placed.kind !== 'omitted' || placed.reason !== 'host_not_known_yet')
        this.#known.dismiss(series, placed);
      return placed;
    }
    const { host, place } = placed;
    if ('family' in place) return { kind: 'omitted', reason: place.family.kind, host: host.number };
    const outputs: number[] = [];
    for (const figure of FIGURES) {
      const output = host.outputs.of(place.part, `${place.metric}_${figure}`);
      if (output === undefined) {
        const fate = beyondLimit(host, place);
        this.#known.dismiss(series, fate);
        return fate;
      }
      outputs.push(output);
    }
    this.#known.storeHistogram(series, sent.type === 'delta', NO_STATE, outputs);
    return STORED;
  }
}

/** The figures of a point; empty where there is nothing to compare it with, or it begins again. */
function figuresOf(
  isDelta: boolean,
  before: HistogramState,
  time: number,
  point: HistogramPoint,
  start: number,
): Figures {
  if (isDelta) return start > 0 && start < time ? figuresSince(point, time - start) : {};
  if (time === before.time) return before.figures;
  const last = before.point;
  if (last === null || time < before.time || point.count < last.count || start > before.time) return {};
  const isSameForm = point.bounds.length === last.bounds.length && point.counts.length === last.counts.length;
  const added: HistogramPoint = {
    count: point.count - last.count,
    sum: point.sum === undefined || last.sum === undefined ? undefined : point.sum - last.sum,
    bounds: isSameForm ? point.bounds : [],
    counts: isSameForm ? point.counts.map((count, index) => count - (last.counts[index] ?? 0)) : [],
  };
  return figuresSince(added, time - before.time);
}

function figuresSince({ count, sum, bounds, counts }: HistogramPoint, spanMs: number): Figures {
  const figures: Figures = { count_per_second: (count * 1_000) / spanMs };
  if (count <= 0) return figures;
  if (sum !== undefined) figures.mean = sum / count;
  if (bounds.length === 0 || bounds.length > MAX_BOUNDS || counts.some((each) => each < 0)) return figures;
  for (const percent of [50, 95, 99] as const) {
    const value = percentileOf(percent / 100, bounds, counts);
    if (value !== undefined) figures[`p${percent}`] = value;
  }
  return figures;
}

function nothing(): void {}
