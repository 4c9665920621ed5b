import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { ClockOffset, WRONG_CLOCK_MS } from '@tidewatch/domain/alerting/clock-offset';
import type { StatusReason } from '@tidewatch/domain/health/status';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import { readServiceHealth, type ServiceHealthRow } from '@tidewatch/store/health/read';
import { readEndedAlerts } from '@tidewatch/store/rule-states/ended';
import { readFlaps } from '@tidewatch/store/rule-states/flaps';
import { readNewestProcesses } from '@tidewatch/store/rule-states/processes';
import { readStates, type ServiceKey } from '@tidewatch/store/rule-states/read';
import { readMetricLatest } from '@tidewatch/store/rule-states/restore';
import type { RuleIndex } from '../../rules/rule-index.ts';
import type { ActiveRows } from '../active-rows.ts';
import type { AlertInstance } from '../alert-instance.ts';
import type { EvaluatedService } from '../evaluated-service.ts';
import { HostParts } from '../host-parts.ts';
import { newestOnClock } from '../shift-times.ts';
import { catchUp, type RestoredService, rebuildWindows } from './catch-up.ts';
import { findWithEndingStates } from './ending-states.ts';
import { rebuildProcesses } from './rebuild-processes.ts';
import { restoreService } from './restore-service.ts';
import type { WriterPosition } from './writer-position.ts';

const NEVER = Number.NEGATIVE_INFINITY;
/** Samples that are delivered again were delivered first within this time before. */
const ENDED_WITHIN_MS = DAY_MS;

export interface LoadedServices {
  services: EvaluatedService[];
  /** The deleted hosts; with `withDeleted` they are also among `services`. */
  deleted: Set<string>;
  /** Alert instances that their rule no longer wants, and whose alerts have to end. */
  dropped: AlertInstance[];
}

/** Says for what hosts are loaded, which decides what is read. */
export interface LoadCircumstances {
  /** The requests that are evaluated next. */
  coming?: readonly SampleBatch[];
  /** Also load deleted hosts. */
  withDeleted?: boolean;
  /**
   * Loads hosts only to end alerts after a change of rules: a host without a known evaluated time is skipped unless one of
   * its alerts ends, and is loaded at its next request.
   */
  onlyToReconcile?: boolean;
}

export interface LoadOptions extends LoadCircumstances {
  /** Memory for active alert instances. */
  rows: ActiveRows;
  /** Server clock, ms. */
  now: number;
  /** Returns the writer's position; called after samples were read, so that it is not older than the samples. */
  writerPosition(): Promise<WriterPosition>;
}

/**
 * Loads hosts from the store: health, states and last evaluated times, updated from samples if the process did not end
 * cleanly. `sql` must not be the transaction that writes samples, or these would count as evaluated. Hosts that `sql`
 * cannot see are skipped.
 */
export async function loadServices(
  sql: Sql,
  keys: readonly ServiceKey[],
  rules: RuleIndex,
  turn: Turn,
  { rows: memory, now, withDeleted = false, onlyToReconcile = false, writerPosition }: LoadOptions,
): Promise<LoadedServices> {
  const found = await readServiceHealth(sql, keys);
  let rows = found.filter((row) => withDeleted || !row.deleted);
  if (onlyToReconcile) rows = await worthLoading(sql, rows, rules, await writerPosition(), now);
  const ids = rows.map((row) => row.serviceId);
  const loaded: LoadedServices = { services: [], deleted: new Set(), dropped: [] };
  for (const row of found) if (row.deleted) loaded.deleted.add(row.serviceId);
  if (ids.length === 0) return loaded;
  const spanOf = (row: ServiceHealthRow) => ({ ...keyOfRow(row), until: newestOnClock(row.clockStep, now) });
  const withProcesses = rows.filter((row) => rules.metricsOf(row.organizationId, 'process').length > 0);
  const [states, flaps, latest, processes, endings] = await Promise.all([
    readStates(sql, rows.map(keyOfRow)),
    readFlaps(sql, ids),
    readMetricLatest(sql, rows.map(spanOf), partMetricsOf(rows, rules)),
    readNewestProcesses(sql, withProcesses.map(spanOf)),
    readEndedAlerts(sql, rows.map(keyOfRow), now - ENDED_WITHIN_MS),
  ]);
  const position = await writerPosition();
  const unknown = new Set<string>();
  turn.begin();
  for (const each of states.values()) {
    for (const ruleIds of each.ruleIds()) {
      for (const id of ruleIds) if (!rules.get(id)) unknown.add(id);
      if (turn.isOver) await turn.yieldWhenDue();
    }
  }
  const gone = await rules.readEnded(sql, [...unknown]);
  const flapsOf = Map.groupBy(flaps, (each) => each.serviceId);
  const endingsOf = Map.groupBy(endings, (each) => each.serviceId);
  const latestOf = Map.groupBy(latest, (metric) => metric.serviceId);
  const restored: RestoredService[] = [];
  for (const row of rows) {
    const service = serviceOf(row, memory);
    const until = newestOnClock(row.clockStep, now);
    const evaluated = Math.min(until, position.evaluatedUntil(row));
    const isComplete = evaluated === until;
    const { metrics, dropped } = await restoreService(
      service,
      { rules, gone, turn, now, until, isComplete },
      {
        row,
        latest: latestOf.get(row.serviceId) ?? [],
        newestProcesses: processes.get(row.serviceId) ?? NEVER,
        flaps: flapsOf.get(row.serviceId) ?? [],
        states: states.get(row.serviceId) ?? null,
        endings: endingsOf.get(row.serviceId) ?? [],
      },
    );
    for (const instance of dropped) loaded.dropped.push(instance);
    if (onlyToReconcile && !isComplete && dropped.length === 0 && row.archivedAt === null) {
      for (const { instances } of service.streams.values())
        for (const instance of instances) instance.forget();
      continue;
    }
    loaded.services.push(service);
    restored.push({ service, metrics, evaluatedUntil: evaluated });
  }
  await catchUp(sql, restored, turn);
  await rebuildWindows(sql, restored, turn);
  await rebuildProcesses(sql, rules, restored, turn);
  return loaded;
}

/** Returns the metrics of parts, as rules name them, that have a rule in an organization of these hosts. */
function partMetricsOf(rows: readonly ServiceHealthRow[], rules: RuleIndex): string[] {
  const metrics = new Set<string>();
  for (const organizationId of new Set(rows.map((row) => row.organizationId)))
    for (const ofKind of rules.partMetricsOf(organizationId).values())
      for (const metric of ofKind.values()) metrics.add(metric);
  return [...metrics];
}

/** Returns the hosts worth loading: those with a known evaluated time, and those of which an alert ends. */
async function worthLoading(
  sql: Sql,
  rows: readonly ServiceHealthRow[],
  rules: RuleIndex,
  position: WriterPosition,
  now: number,
): Promise<ServiceHealthRow[]> {
  // All active alerts of an archived host end, so it is loaded.
  const unknown = rows.filter(
    (row) => row.archivedAt === null && position.evaluatedUntil(row) < newestOnClock(row.clockStep, now),
  );
  if (unknown.length === 0) return [...rows];
  const ending = await findWithEndingStates(sql, unknown, rules);
  const left = new Set(unknown.filter(({ serviceId }) => !ending.has(serviceId)));
  return rows.filter((row) => !left.has(row));
}

/** Creates a host that was registered in the current transaction, so that nothing about it is stored. */
export function newService(
  organizationId: string,
  serviceId: string,
  host: string,
  now: number,
  rows: ActiveRows,
): EvaluatedService {
  const row: ServiceHealthRow = {
    organizationId,
    serviceId,
    host,
    tags: {},
    status: 'healthy',
    reasons: [],
    statusSince: now,
    intervalSeconds: null,
    clockOffsetSeconds: null,
    clockSkewSeconds: null,
    lastSeen: now,
    archivedAt: null,
    deleted: false,
    clockStep: null,
  };
  return serviceOf(row, rows);
}

function serviceOf(row: ServiceHealthRow, rows: ActiveRows): EvaluatedService {
  return {
    organizationId: row.organizationId,
    serviceId: row.serviceId,
    host: row.host,
    subject: { kind: 'host', name: row.host },
    tags: row.tags,
    generation: -1,
    streams: new Map(),
    rows,
    flaps: new Map(),
    members: {
      container: { evaluatedAt: NEVER, presenceAt: NEVER, expected: null, streams: null },
      process: { evaluatedAt: NEVER, presenceAt: NEVER, expected: null, streams: null },
    },
    parts: new HostParts(),
    metrics: [],
    metricStreams: [],
    offset: new ClockOffset((row.clockOffsetSeconds ?? 0) * 1_000),
    watched: null,
    clockSetBackTo: null,
    clockStep: row.clockStep,
    skewSeconds:
      row.clockSkewSeconds !== null && Math.abs(row.clockSkewSeconds) * 1_000 > WRONG_CLOCK_MS
        ? row.clockSkewSeconds
        : null,
    offline: (row.reasons as StatusReason[]).some(({ code }) => code === 'silent'),
    archivedAt: row.archivedAt,
    lastSeen: row.lastSeen,
    health: { status: row.status, reasons: row.reasons, since: row.statusSince, counts: '' },
    request: -1,
    newestInRequest: 0,
  };
}

function keyOfRow({ organizationId, serviceId }: ServiceHealthRow): ServiceKey {
  return { org: organizationId, id: serviceId };
}
