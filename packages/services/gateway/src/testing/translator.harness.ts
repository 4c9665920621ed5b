import { CounterStates } from '../agent-protocols/series/counter-states.ts';
import { PointBatch } from '../agent-protocols/series/point-batch.ts';
import type { HistogramPoint, SentSeries } from '../agent-protocols/series/sent-series.ts';
import { SeriesTable } from '../agent-protocols/series/series-table.ts';
import { DEFAULT_HOST_LABELS } from '../agent-protocols/translation/host-identity.ts';
import { KnownSeries } from '../agent-protocols/translation/known-series.ts';
import type { Sender } from '../agent-protocols/translation/sender.ts';
import { type CounterForm, type Translation, Translator } from '../agent-protocols/translation/translator.ts';
import { SeriesHash } from '../agent-protocols/wire/series-hash.ts';

export const START = Date.parse('2026-11-28T12:00:00Z');

type Labels = Record<string, string>;
/** A series by its name and labels, a value, and the seconds since the start. */
export type Point = readonly [name: string, labels: Labels, value: number, seconds?: number];

/** Opens a translator; the functions translate points by the order of their requests. */
export function openTranslator(
  overrides: Partial<Sender> = {},
  described: Partial<SentSeries> = {},
  applications = true,
  counterForm: CounterForm = 'rates',
) {
  const counters = new CounterStates();
  const known = new KnownSeries(counters);
  const table = new SeriesTable(known.numbers, { series: 0 }, (series) => known.release(series));
  const translator = new Translator({
    counters,
    known,
    table,
    hash: new SeriesHash([1, 2]),
    hostLabels: DEFAULT_HOST_LABELS,
    applications,
    counterForm,
    stepMs: 1_000,
  });
  const sender = (seconds: number): Sender => ({
    id: 'key',
    host: null,
    onlyHost: null,
    isAllowed: () => true,
    receivedAt: START + seconds * 1_000,
    zeroIsArrival: false,
    ...overrides,
  });
  function translate(points: readonly Point[], seconds = 0): Translation & { batch: PointBatch } {
    const from = sender(seconds);
    const batch = new PointBatch(translator.source(from));
    for (const [name, labels, value, at = seconds] of points) {
      const sent: SentSeries = {
        protocol: 'remote_write',
        name,
        labels: Object.entries(labels)
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .flat(),
        resource: [],
        type: 'unknown',
        unit: '',
        ...described,
      };
      const { hash } = batch;
      hash.begin();
      hash.text(JSON.stringify(sent));
      const series = batch.find(hash.high, hash.low) ?? batch.add(hash.high, hash.low, sent);
      batch.point(series, START + at * 1_000, value, 0);
    }
    for (const _ of translator.settle(batch, from));
    const translation = translator.translate(batch, from);
    batch.release();
    return { ...translation, batch };
  }
  /** All values of all payloads by part and metric, but for what is reported of the agent. */
  function values(points: readonly Point[], seconds = 0): Record<string, number> {
    const translation = translate(points, seconds);
    translation.commit();
    return flat(translation);
  }
  /** The values of points of one metric by the attributes of their resources. */
  function ofResources(
    name: string,
    entries: readonly (readonly [resource: readonly string[], value: number])[],
    seconds: number,
  ): Record<string, number> {
    const from = sender(seconds);
    const batch = new PointBatch(translator.source(from));
    for (const [resource, value] of entries) {
      const { hash } = batch;
      hash.begin();
      hash.text(JSON.stringify(resource));
      const sent: SentSeries = { ...HISTOGRAM, labels: [], ...described, name, resource };
      const series = batch.find(hash.high, hash.low) ?? batch.add(hash.high, hash.low, sent);
      batch.point(series, from.receivedAt, value, 0);
    }
    const translation = translator.translate(batch, from);
    translation.commit();
    return flat(translation);
  }
  /** The values of one point of a cumulative histogram. */
  function translateHistograms(point: HistogramPoint, seconds: number): Record<string, number> {
    const from = sender(seconds);
    const batch = new PointBatch(translator.source(from));
    const series = batch.find(1, 1) ?? batch.add(1, 1, HISTOGRAM);
    batch.histogram(series, from.receivedAt, point, 0);
    const translation = translator.translate(batch, from);
    translation.commit();
    return flat(translation);
  }
  return { translate, values, ofResources, translateHistograms, table };
}

const HISTOGRAM: SentSeries = {
  protocol: 'remote_write',
  name: 'latency',
  labels: ['instance', 'web-01:8080', 'job', 'shop'],
  resource: [],
  type: 'counter',
  unit: '',
};

function flat({ payloads }: Translation): Record<string, number> {
  const all: Record<string, number> = {};
  for (const { metrics, values, parts } of payloads) {
    for (const [index, metric] of metrics.entries()) all[metric] = values[index] as number;
    let at = 0;
    for (const [index, end] of (parts?.shape.ends ?? []).entries())
      for (; at < end; at += 1)
        all[`${parts?.shape.kinds[index]}:${parts?.shape.names[index]} ${parts?.shape.metrics[at]}`] = parts
          ?.values[at] as number;
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('agent:')));
}

export const WEB = { instance: 'web-01:9100', job: 'node' };
export const cpu = (core: number, mode: string) => ({ ...WEB, cpu: String(core), mode });
