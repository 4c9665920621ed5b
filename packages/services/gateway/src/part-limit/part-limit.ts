import { type PartShape, withoutMetrics } from '@tidewatch/contracts/ingest/part-shape';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { MAX_FAULTS } from '@tidewatch/contracts/problems/validation';
import type { ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { DecodedBody } from '../decoding/decoded-body.ts';
import { FaultList } from '../decoding/fault-list.ts';
import type { SeriesStore } from '../series-limit/series-store.ts';
import type { Addition, HostParts, HostRoom } from './host-parts.ts';
import { KnownParts } from './known-parts.ts';

export interface PartLimitOptions extends Pick<ServiceEnvironment, 'metrics' | 'logger'> {
  room: HostRoom;
  store: Pick<SeriesStore, 'knownParts'>;
  /** The maximum time between publication and storage of a payload, ms; 0 where publication stores it. */
  settleMs: number;
  /** Milliseconds of a monotonic clock. */
  monotonic: () => number;
}

/** Bounds the active parts of each host, and their series, over all of its payloads. */
export interface PartLimit {
  /**
   * Returns the body without new parts and series beyond the limit under lenient handling, which its faults name; otherwise throws
   * or rejects with the 422 if there are some. Returns a promise only if stored parts have to be read: a host that is far below the
   * limit by what it sent here needs none.
   */
  admit(organizationId: string, body: DecodedBody, lenient: boolean): DecodedBody | Promise<DecodedBody>;
}

/** Without a look at the store, a host may have this part of what it may have. */
const UNREAD_PART = 0.125;
/** What a host has is read again before something is refused, but not more often than this, ms. */
const READ_AGAIN_MS = 60_000;

/** A payload that may have new parts, with what it adds to its host. */
interface Change {
  payload: Payload;
  host: HostParts;
  addition: Addition;
  at: string;
}

export function createPartLimit(options: PartLimitOptions): PartLimit {
  const { room, monotonic } = options;
  const known = new KnownParts(options);
  const unread: HostRoom = {
    parts: Math.floor(room.parts * UNREAD_PART),
    series: Math.floor(room.series * UNREAD_PART),
  };
  const refusals = options.metrics.counter(
    'tidewatch_host_parts_refused_total',
    'New parts of hosts, and series of parts, that were refused or left out at the limit of a host.',
  );

  /** Whether all payloads have the parts that their hosts had before, as most have. */
  function isUsual(organizationId: string, payloads: readonly Payload[]): boolean {
    const now = monotonic();
    return payloads.every(
      ({ host, parts }) => parts === undefined || known.of(organizationId, host, now).isUsual(parts.shape),
    );
  }

  /** The hosts of a body whose stored parts have to be read before it is decided about. */
  function hostsToRead(organizationId: string, payloads: readonly Payload[]): string[] {
    const now = monotonic();
    const shapes = new Map<string, Set<PartShape>>();
    for (const { host, parts } of payloads)
      if (parts !== undefined && !known.of(organizationId, host, now).isUsual(parts.shape))
        shapes.set(host, (shapes.get(host) ?? new Set()).add(parts.shape));
    return [...shapes]
      .filter(([name, added]) => mustRead(known.of(organizationId, name, now), [...added], now))
      .map(([name]) => name);
  }

  function mustRead(host: HostParts, added: readonly PartShape[], now: number): boolean {
    if (host.isRead && now - host.since < READ_AGAIN_MS) return false;
    return !host.fits(added, host.isRead ? room : unread);
  }

  /** Decides about each payload in turn, synchronously, so that what is known stays up to date. */
  function decide(
    organizationId: string,
    body: DecodedBody,
    lenient: boolean,
    limit: HostRoom | null,
  ): DecodedBody {
    const now = monotonic();
    const changes: Change[] = [];
    for (const [index, payload] of body.payloads.entries()) {
      if (payload.parts === undefined) continue;
      const host = known.of(organizationId, payload.host, now);
      if (host.isUsual(payload.parts.shape)) continue;
      const addition = host.add(payload.parts.shape, limit);
      changes.push({ payload, host, addition, at: body.at[index] ?? '' });
    }
    const refused = changes.filter(({ addition }) => hasRefusals(addition));
    if (refused.length > 0 && !lenient) {
      for (const { payload, host, addition } of changes) {
        host.withdraw(addition);
        known.keep(organizationId, payload.host, host);
      }
      const faults = faultsOf(refused, room);
      refusals.inc(faults.count);
      throw problemOf(refused, room, faults);
    }
    for (const { payload, host, addition } of changes) {
      if (addition.series.length > 0) host.addedAt = now;
      if (payload.parts !== undefined && !hasRefusals(addition)) host.settle(payload.parts.shape);
      known.keep(organizationId, payload.host, host);
    }
    return refused.length === 0 ? body : leftOut(body, refused);
  }

  function leftOut(body: DecodedBody, refused: readonly Change[]): DecodedBody {
    const faults = faultsOf(refused, room);
    refusals.inc(faults.count);
    for (const { payload, addition } of refused) leaveOut(payload, addition);
    return {
      ...body,
      faults: [...body.faults, ...faults.kept].slice(0, MAX_FAULTS),
      faultCount: body.faultCount + faults.count,
    };
  }

  return {
    admit(organizationId, body, lenient) {
      if (isUsual(organizationId, body.payloads)) return body;
      const hosts = hostsToRead(organizationId, body.payloads);
      if (hosts.length === 0) return decide(organizationId, body, lenient, room);
      // Nothing is refused while the store cannot be asked.
      return known
        .read(organizationId, hosts)
        .then((isRead) => decide(organizationId, body, lenient, isRead ? room : null));
    },
  };
}

function hasRefusals({ refusedParts, refusedSeries }: Addition): boolean {
  return refusedParts.length > 0 || refusedSeries.length > 0;
}

function faultsOf(refused: readonly Change[], { parts, series }: HostRoom): FaultList {
  const faults = new FaultList();
  for (const { payload, addition, at } of refused) {
    const nameOf = (index: number) => subjectAt(payload, index);
    for (const index of addition.refusedParts) {
      const message = `${nameOf(index)} is a new part beyond the ${parts} that a host may have.`;
      faults.add(`${at}/parts`, index, 'parts_limit', message);
    }
    for (const { index, metric } of addition.refusedSeries) {
      const message = `${metric} of ${nameOf(index)} is a new series beyond the ${series} that parts of a host may have.`;
      faults.add(`${at}/parts/${index}`, metric, 'parts_limit', message);
    }
  }
  return faults;
}

function problemOf(refused: readonly Change[], room: HostRoom, faults: FaultList): ProblemError {
  const [first] = refused;
  const detail = `Host ${first?.payload.host} would have more than ${room.parts} active parts, or more than ${room.series} series of parts.`;
  return new ProblemError('series_limit', { detail, errors: faults.kept });
}

function leaveOut(payload: Payload, { refusedParts, refusedSeries }: Addition): void {
  if (payload.parts === undefined) return;
  const parts = new Set(refusedParts);
  const series = new Set(refusedSeries.map(({ index, metric }) => `${index} ${metric}`));
  payload.parts = withoutMetrics(
    payload.parts,
    (index, metric) => parts.has(index) || series.has(`${index} ${metric}`),
  );
}

function subjectAt({ parts }: Payload, index: number): string {
  return partSubject(parts?.shape.kinds[index] ?? '', parts?.shape.names[index] ?? '');
}
