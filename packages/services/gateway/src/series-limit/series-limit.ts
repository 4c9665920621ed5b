import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MAX_FAULTS } from '@tidewatch/contracts/problems/validation';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { LRUCache } from 'lru-cache';
import type { DecodedBody } from '../decoding/decoded-body.ts';
import { FaultList } from '../decoding/fault-list.ts';
import { type HostSeries, KnownHosts, type NewSeries, newSeriesOf } from './known-hosts.ts';
import type { SeriesStore } from './series-store.ts';
import { SeriesUsage } from './series-usage.ts';

export interface SeriesLimitOptions {
  /** Active series of an organization at most. */
  limit: number;
  store: SeriesStore;
  /** The maximum time between publication and storage of a payload, ms; 0 where publication stores it. */
  settleMs: number;
  /** Milliseconds of a monotonic clock. */
  monotonic: () => number;
  metrics: Metrics;
  logger: Logger;
}

/** The part of a body that is within the limit. `settle` is to be called when its publication has succeeded or failed. */
export interface Admitted {
  body: DecodedBody;
  settle(): void;
}

/** Bounds the active series of each organization. */
export interface SeriesLimit {
  /**
   * Admits a body of at most `samples` samples. Where it has too many new series, removes them if handling is
   * lenient, and rejects with the 422 if it is strict. Returns without a promise where even all samples as new series are within the limit.
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

/** The new series of a payload, whose pointer is `at`. */
interface Change {
  payload: Payload;
  series: HostSeries;
  added: NewSeries[];
  at: string;
}

interface Decision {
  taken: Change[];
  refused: Change[];
  /** How many new series are taken. */
  series: number;
}

/** Series are counted again after so long, ms, and sooner where the samples since then could be too many new series. */
const COUNT_EVERY_MS = MINUTE_MS;
const COUNT_SOON_MS = 5_000;
/**
 * Where publication does not store, only this part of the remaining series is given to samples that are not checked: a host
 * that reports twice before it is stored is counted twice, and could be refused though its series are no longer new.
 */
const UNLOOKED_PART = 0.125;
const WARN_FROM = 0.8;
const MAX_ORGANIZATIONS = 10_000;

export function createSeriesLimit(options: SeriesLimitOptions): SeriesLimit {
  const { limit, store, settleMs, monotonic, logger } = options;
  const usages = new LRUCache<string, SeriesUsage>({ max: MAX_ORGANIZATIONS });
  const hosts = new KnownHosts(store);
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
          'an organization is close to its limit of series; payloads beyond it will be refused',
        );
      near.add(organizationId);
      active.set({ organization: organizationId }, counted);
    } else if (near.delete(organizationId)) active.remove({ organization: organizationId });
  }

  function onFault(error: unknown): void {
    if (reachable)
      logger.warn(
        { err: error },
        'series cannot be counted: the database is unavailable; none is refused meanwhile; retrying',
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

  /** Whether `more` series are within the limit. True before the first count. */
  const fits = (usage: SeriesUsage, more: number) => usage.most === null || usage.most + more <= limit;

  /** Whether all samples may count as new series, so that they need not be checked one by one. */
  function passesUnlooked(usage: SeriesUsage, samples: number): boolean {
    const { counted } = usage;
    if (counted === null || settleMs === 0) return fits(usage, samples);
    return fits(usage, samples) && usage.since + samples <= (limit - counted) * UNLOOKED_PART;
  }

  /** Checks which samples are new series, where all of them would be too many. */
  async function look(
    organizationId: string,
    body: DecodedBody,
    samples: number,
    lenient: boolean,
  ): Promise<Admitted> {
    const usage = usageOf(organizationId);
    if (usage.counted === null) {
      await usage.recount();
      if (passesUnlooked(usage, samples)) return { body, settle: usage.reserve(samples) };
    } else usage.refresh(COUNT_SOON_MS);
    let series: HostSeries[];
    try {
      series = await hosts.seriesOf(organizationId, body.payloads);
    } catch (error) {
      onFault(error);
      return { body, settle: usage.reserve(0) };
    }
    let decided = decide(organizationId, usage, body, series);
    if (decided.refused.length > 0) {
      withdraw(decided);
      await usage.recount();
      decided = decide(organizationId, usage, body, series);
    }
    return apply(usage, body, decided, lenient);
  }

  /** Decides payload by payload, so that a series counts once in a body. Adds accepted series to the known ones. */
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

  /** Is synchronous, so that the result of `decide` is still current. */
  function apply(usage: SeriesUsage, body: DecodedBody, decision: Decision, lenient: boolean): Admitted {
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
    return { body: { ...body, faults: kept, faultCount }, settle: usage.reserve(decision.series) };
  }

  return {
    admit(organizationId, body, samples, lenient) {
      const usage = usageOf(organizationId);
      if (usage.counted === null || !passesUnlooked(usage, samples))
        return look(organizationId, body, samples, lenient);
      if (usage.age > COUNT_EVERY_MS) usage.refresh(COUNT_EVERY_MS);
      return { body, settle: usage.reserve(samples) };
    },
    warning(organizationId) {
      if (!near.has(organizationId)) return undefined;
      return `active=${usages.get(organizationId)?.counted ?? 0}, limit=${limit}`;
    },
  };
}

function nameNew(faults: FaultList, at: string, added: readonly NewSeries[]): void {
  for (const { container, metric } of added) {
    const parent = container === null ? '/metrics' : `/docker_containers/${container}`;
    faults.add(at + parent, metric, 'series_limit', 'Is a new series beyond the limit.');
  }
}

function leaveOut(payload: Payload, added: readonly NewSeries[]): void {
  const ofHost = new Set<string>();
  for (const { container, metric } of added) {
    if (container === null) ofHost.add(metric);
    else delete payload.containers?.[container]?.[metric];
  }
  if (ofHost.size === 0) return;
  const { metrics, values } = payload;
  payload.metrics = metrics.filter((metric) => !ofHost.has(metric));
  payload.values = values.filter((_, index) => !ofHost.has(metrics[index] as string));
}
