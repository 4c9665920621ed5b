import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Subject } from '@tidewatch/contracts/values/subject';
import { unitOf } from '@tidewatch/contracts/values/unit';
import type { Transaction } from '@tidewatch/database/connection';
import type { HostName, MetricFacts, Series } from '@tidewatch/domain/investigation/facts';
import { tierForStep } from '@tidewatch/domain/rollup/buckets';
import { readPlacesOfPart } from '../../series/read.ts';
import type { KnownBlocks, StepMeans } from '../../series/series-columns.ts';
import { storedSeries } from '../../series/stored-series.ts';
import type { FactsQuery } from './facts-request.ts';
import { metricSource } from './sources.ts';

interface Place {
  kind: 'host' | 'container' | 'part';
  name: string;
  metric: string;
  blockId: number;
  slot: number;
}

/** The maximum number of metrics of a host and its containers in an investigation. */
const MAX_SERIES = 1_600;
/** Blocks read by one statement, whose rows are in memory as text. */
const BLOCKS_AT_ONCE = 8;
/**
 * The max number of points of each metric: three days of minutes for the history, and 40 minutes of one sample a second.
 */
const MAX_POINTS = 4_320;
const MAX_SAMPLES = 2_400;
const HISTORY_STEPS_MS = [60_000, 300_000, 900_000, HOUR_MS, DAY_MS];
const NONE: Series = { times: new Float64Array(), values: new Float64Array() };

/**
 * Reads every metric of a host and its containers, and of the investigated part, that has values between `historyFrom` and
 * the end of the window.
 */
export async function readHostMetrics(
  tx: Transaction,
  host: HostName,
  request: FactsQuery,
  { historyFrom, peersFrom, intervalMs }: { historyFrom: number; peersFrom: number; intervalMs: number },
): Promise<MetricFacts[]> {
  const { to } = request;
  const places = [...(await readPartPlaces(tx, request)), ...(await readPlaces(tx, request, historyFrom))];
  const stepMs = historyStep(request, historyFrom);
  const metrics: MetricFacts[] = [];
  const blocks = [...Map.groupBy(places, ({ blockId }) => blockId).values()];
  for (let start = 0; start < blocks.length; start += BLOCKS_AT_ONCE) {
    request.signal.throwIfAborted();
    const part = blocks.slice(start, start + BLOCKS_AT_ONCE).flat();
    const steps = { tier: tierForStep(stepMs), stepMs, from: historyFrom, to, retained: request.retained };
    const blockIds = [...new Set(part.map(({ blockId }) => blockId))];
    const known = await storedSeries.know(tx, blockIds, { from: historyFrom, to });
    const history = await storedSeries.means(tx, part, steps, known);
    const recent = await readRecent(tx, request, part, intervalMs, known);
    // Samples a minute apart are in the history.
    const range = { ...request, from: peersFrom, to: request.from };
    const before =
      intervalMs < MINUTE_MS
        ? await readRecent(tx, range, part, intervalMs, known)
        : new Map<Place, Series>();
    for (const place of part) {
      const points = history.get(place);
      const samples = recent.get(place);
      if (points === undefined && samples === undefined) continue;
      const subject: Subject = { kind: place.kind, name: place.name };
      metrics.push({
        subject,
        metric: place.metric,
        unit: unitOf(place.metric),
        history: seriesOf(points),
        recent: samples ?? NONE,
        before: before.get(place) ?? NONE,
        source: metricSource(host, subject, place.metric, { from: historyFrom, to }, stepMs / 1_000),
      });
    }
  }
  return metrics;
}

/**
 * The blocks to read: those of the investigated container first, then those of the host. Blocks without recent rows are
 * left out.
 */
async function readPlaces(tx: Transaction, request: FactsQuery, historyFrom: number): Promise<Place[]> {
  const { organizationId, serviceId, subject } = request;
  return await tx<Place[]>`
    select b.subject_kind as kind, b.subject_name as name, m.metric, b.id as "blockId", m.place::int - 1 as slot
    from blocks b left join block_latest l on l.block_id = b.id
    cross join lateral unnest(b.metrics) with ordinality as m (metric, place)
    where b.organization_id = ${organizationId} and b.service_id = ${serviceId} and m.metric <> ''
      and b.subject_kind in ('host', 'container') and coalesce(l.applied_at >= ${historyFrom}::timestamptz, true)
    order by b.subject_kind = ${subject.kind} and b.subject_name = ${subject.name} desc, b.subject_kind = 'host' desc,
      b.subject_name, b.ordinal, m.place
    limit ${MAX_SERIES}`;
}

/** The places of the investigated part; none if it is no part. */
async function readPartPlaces(tx: Transaction, request: FactsQuery): Promise<Place[]> {
  const { organizationId, serviceId, subject } = request;
  if (subject.kind !== 'part') return [];
  const part = { organizationId, serviceId, part: subject.name, metrics: undefined };
  const places = await readPlacesOfPart(tx, part);
  return places.map((place) => ({ ...place, kind: 'part', name: subject.name }));
}

/** The finest step whose tier is still kept at the start and that gives few enough points. */
function historyStep({ to, retained }: FactsQuery, historyFrom: number): number {
  const fits = HISTORY_STEPS_MS.filter((step) => (to - historyFrom) / step <= MAX_POINTS);
  return fits.find((step) => historyFrom >= retained[tierForStep(step)]) ?? fits.at(-1) ?? DAY_MS;
}

/** Reads raw samples, or means of equal steps if there are too many samples or only rollups are kept. */
async function readRecent(
  tx: Transaction,
  request: FactsQuery,
  places: readonly Place[],
  intervalMs: number,
  known: KnownBlocks,
): Promise<Map<Place, Series>> {
  const { from, to, retained } = request;
  const isKept = from >= retained.raw;
  const samples = (to - from) / Math.max(1, intervalMs);
  if (isKept && samples <= MAX_SAMPLES) return await readSamples(tx, places, from, to);
  const minStepMs = Math.ceil((to - from) / MAX_SAMPLES / 1_000) * 1_000;
  const stepMs = isKept ? minStepMs : historyStep(request, from);
  const steps = { tier: tierForStep(stepMs), stepMs, from, to, retained };
  return new Map(
    [...(await storedSeries.means(tx, places, steps, known))].map(([place, own]) => [place, seriesOf(own)]),
  );
}

/** Reads the raw samples of places in `[from, to)`, ms; places without samples are left out. */
async function readSamples(
  tx: Transaction,
  places: readonly Place[],
  from: number,
  to: number,
): Promise<Map<Place, Series>> {
  const spans = places.map(({ blockId, slot }) => ({ blockId, slot, from, to }));
  const found = await storedSeries.samples(tx, spans);
  return new Map(
    places.flatMap((place, index): [Place, Series][] => {
      const own = found[index];
      return own === undefined || own.times.length === 0 ? [] : [[place, own]];
    }),
  );
}

function seriesOf(means: StepMeans | undefined): Series {
  return means === undefined ? NONE : { times: means.at, values: means.mean };
}
