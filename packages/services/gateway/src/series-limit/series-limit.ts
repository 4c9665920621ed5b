import { withoutMetrics } from '@tidewatch/contracts/ingest/part-shape';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MAX_FAULTS } from '@tidewatch/contracts/problems/validation';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import { LRUCache } from 'lru-cache';
import type { DecodedBody } from '../decoding/decoded-body.ts';
import { FaultList } from '../decoding/fault-list.ts';
import { type HostSeries, KnownHosts, type NewSeries, newSeriesOf } from './known-hosts.ts';
import { type Report, ReportedSeries } from './reported-series.ts';
import type { SeriesStore } from './series-store.ts';
import { SeriesUsage } from './series-usage.ts';

export interface SeriesLimitOptions extends Pick<ServiceEnvironment, 'metrics' | 'logger'> {
  /** The max number of active series of an organization. */
  limit: number;
  store: SeriesStore;
  /** The maximum time between publication and storage of a payload, ms; 0 where publication stores it. */
  settleMs: number;
  /** Milliseconds of a monotonic clock. */
  monotonic: () => number;
}

/** The part of a body that is within the limit. `settle` must be called once it is durable, or may not be. */
export interface Admitted {
  body: DecodedBody;
  settle(isDurable: boolean): void;
}

/** Bounds the active series of each organization. */
export interface SeriesLimit {
  /**
   * Checks a body of at most `samples` samples against the limit of series. If it has too many new series, removes their
   * payloads under lenient handling, otherwise rejects with the 422. Returns a promise only if it has to find out which
   * samples are new series: before the first count, and if the samples might not fit into what is left of the limit.
   */
  admit(
    organizationId: string,
    body: DecodedBody,
    samples: number,
    lenient: boolean,
  ): Admitted | Promise<Admitted>;
  /** The warning header of an organization that nears its limit; undefined for others. */
  warning(organizationId: string): string | undefined;
}

/** The new series of one payload, whose JSON Pointer is `at`. */
interface Change {
  payload: Payload;
  series: HostSeries;
  added: NewSeries[];
  at: string;
}

interface Decision {
  taken: Change[];
  refused: Change[];
  /** The number of new series that are accepted. */
  series: number;
}

/** How often the series are counted, ms; sooner if the samples since then could be too many new series. */
const COUNT_EVERY_MS = MINUTE_MS;
const COUNT_SOON_MS = 5_000;
/**
 * If publication does not store, only this part of the remaining series is available to samples that are not checked: a
 * host that reports twice before it is stored is counted twice.
 */
const UNLOOKED_PART = 0.125;
const WARN_FROM = 0.8;
const MAX_ORGANIZATIONS = 10_000;

export function createSeriesLimit(options: SeriesLimitOptions): SeriesLimit {
  const { limit, store, settleMs, monotonic, logger } = options;
  const usages = new LRUCache<string, SeriesUsage>({ max: MAX_ORGANIZATIONS });
  const hosts = new KnownHosts(store);
  const reported = new ReportedSeries(monotonic);
  const near = new Set<string>();
  let reachable = true;
  const active = options.metrics.gauge(
    'tidewatch_series_active',
    'Active series of organizations that have used up 80 % of their limit.',
    ['organization'],
  );

  options.metrics
    .gauge('tidewatch_series_limit', 'Active series that each organization may have.')
    .set(limit);

  function onCount(organizationId: string, counted: number): void {
    if (!reachable) logger.info('series can be counted again');
    reachable = true;
    if (counted >= limit * WARN_FROM) {
      if (!near.has(organizationId))
        logger.warn(
          { organizationId, series: counted, limit },
          'an organization is close to its limit of series; new series beyond it will be refused or left out',
        );
      near.add(organizationId);
      active.set({ organization: organizationId }, counted);
    } else if (near.delete(organizationId)) active.remove({ organization: organizationId });
  }

  function onFault(error: unknown): void {
    if (reachable)
      logger.warn(
        { err: error },
        'series cannot be counted: the database is unavailable; the last count applies, if there is one; retrying',
      );
    reachable = false;
  }

  function usageOf(organizationId: string): SeriesUsage {
    let usage = usages.get(organizationId);
    if (usage === undefined) {
      const counted = (count: number) => onCount(organizationId, count);
      usage = new SeriesUsage({ organizationId, store, settleMs, monotonic, onCount: counted, onFault });
      usages.set(organizationId, usage);
    }
    return usage;
  }

  /** Whether `more` new series are within the limit; true before the first count. */
  const fits = (usage: SeriesUsage, more: number) => usage.most === null || usage.most + more <= limit;

  /** Whether that many samples, all of them as new series, would be within the limit, so that they need no check. */
  function passesUnlooked(usage: SeriesUsage, samples: number): boolean {
    const { counted } = usage;
    if (counted === null || settleMs === 0) return fits(usage, samples);
    return fits(usage, samples) && usage.since + samples <= (limit - counted) * UNLOOKED_PART;
  }

  /** Adds `series` to what is used, and remembers `reports` once they are durable. */
  function reserve(
    usage: SeriesUsage,
    body: DecodedBody,
    series: number,
    reports: readonly Report[],
  ): Admitted {
    const release = usage.reserve(series);
    return {
      body,
      settle(isDurable) {
        release();
        if (isDurable) reported.remember(usage.organizationId, reports);
      },
    };
  }

  /** Checks which samples are new series, if those of `reports`, which are at most `samples`, could be too many. */
  async function look(
    organizationId: string,
    body: DecodedBody,
    samples: number,
    reports: readonly Report[],
    lenient: boolean,
  ): Promise<Admitted> {
    const usage = usageOf(organizationId);
    if (usage.counted === null) {
      await usage.recount();
      if (passesUnlooked(usage, samples)) return reserve(usage, body, samples, reports);
    } else usage.refresh(COUNT_SOON_MS);
    let series: HostSeries[];
    try {
      series = await hosts.seriesOf(organizationId, body.payloads);
    } catch (error) {
      onFault(error);
      return reserve(usage, body, 0, []);
    }
    let decided = decide(organizationId, usage, body, series);
    if (decided.refused.length > 0) {
      withdraw(decided);
      await usage.recount();
      decided = decide(organizationId, usage, body, series);
    }
    return apply(usage, body, decided, reports, lenient);
  }

  /** Decides about each payload in turn, so that a series counts once in a body. Adds accepted series to the known ones. */
  function decide(
    organizationId: string,
    usage: SeriesUsage,
    body: DecodedBody,
    series: readonly HostSeries[],
  ): Decision {
    const decision: Decision = { taken: [], refused: [], series: 0 };
    for (const [index, payload] of body.payloads.entries()) {
      const ofHost = series[index] as HostSeries;
      const added = newSeriesOf(ofHost, payload);
      if (added.length === 0) continue;
      const change = { payload, series: ofHost, added, at: body.at[index] ?? '' };
      if (fits(usage, decision.series + added.length)) {
        decision.series += added.length;
        decision.taken.push(change);
        hosts.admit(organizationId, ofHost, payload, added);
      } else decision.refused.push(change);
    }
    return decision;
  }

  function withdraw({ taken }: Decision): void {
    for (const { payload, series, added } of taken) hosts.withdraw(series, payload, added);
  }

  /** Applies a decision synchronously, so that it is still up to date. */
  function apply(
    usage: SeriesUsage,
    body: DecodedBody,
    decision: Decision,
    reports: readonly Report[],
    lenient: boolean,
  ): Admitted {
    const { refused } = decision;
    const faults = new FaultList();
    for (const { at, added } of refused) nameNew(faults, at, added);
    if (refused.length > 0 && !lenient) {
      withdraw(decision);
      const detail = `The request would add series beyond the limit of ${limit}; ${usage.counted} are active.`;
      throw new ProblemError('series_limit', { detail, errors: faults.kept });
    }
    for (const { payload, added } of refused) leaveOut(payload, added);
    const kept = [...body.faults, ...faults.kept].slice(0, MAX_FAULTS);
    const faultCount = body.faultCount + faults.count;
    const within = { ...body, faults: kept, faultCount };
    return reserve(usage, within, decision.series, refused.length === 0 ? reports : []);
  }

  return {
    admit(organizationId, body, samples, lenient) {
      const usage = usageOf(organizationId);
      const repeated = reported.compare(organizationId, body.payloads);
      const unknown = samples - repeated.samples;
      if (usage.counted === null || !passesUnlooked(usage, unknown))
        return look(organizationId, body, unknown, repeated.changed, lenient);
      if (usage.age > COUNT_EVERY_MS) usage.refresh(COUNT_EVERY_MS);
      return reserve(usage, body, unknown, repeated.changed);
    },
    warning(organizationId) {
      if (!near.has(organizationId)) return undefined;
      return `active=${usages.get(organizationId)?.counted ?? 0}, limit=${limit}`;
    },
  };
}

/** Where a payload has the metrics of each subject. */
const PARENTS: Readonly<Record<NewSeries['of'], (index: number) => string>> = {
  host: () => '/metrics',
  container: (index) => `/docker_containers/${index}`,
  part: (index) => `/parts/${index}`,
};

function nameNew(faults: FaultList, at: string, added: readonly NewSeries[]): void {
  for (const { of, index, metric } of added) {
    faults.add(at + PARENTS[of](index), metric, 'series_limit', 'Is a new series beyond the limit.');
  }
}

function leaveOut(payload: Payload, added: readonly NewSeries[]): void {
  const ofHost = new Set<string>();
  const ofParts = new Map<number, Set<string>>();
  for (const { of, index, metric } of added) {
    if (of === 'host') ofHost.add(metric);
    else if (of === 'container') delete payload.containers?.[index]?.[metric];
    else ofParts.set(index, (ofParts.get(index) ?? new Set()).add(metric));
  }
  if (payload.parts !== undefined && ofParts.size > 0)
    payload.parts = withoutMetrics(
      payload.parts,
      (index, metric) => ofParts.get(index)?.has(metric) ?? false,
    );
  if (ofHost.size === 0) return;
  const { metrics, values } = payload;
  payload.metrics = metrics.filter((metric) => !ofHost.has(metric));
  payload.values = values.filter((_, index) => !ofHost.has(metrics[index] as string));
}
