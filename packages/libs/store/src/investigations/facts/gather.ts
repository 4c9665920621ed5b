import { fieldOf, partMetricOf } from '@tidewatch/contracts/rules/rule-metric';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { withBoundedValues } from '@tidewatch/domain/investigation/bounded-values';
import { comparedSince, peersFromOf } from '@tidewatch/domain/investigation/departure/trouble-begin';
import type { AlertFacts, Facts } from '@tidewatch/domain/investigation/facts';
import { fittedToHistory } from '@tidewatch/domain/investigation/short-history';
import { readChanges } from './changes.ts';
import { choosePeers } from './choose-peers.ts';
import { type FactsQuery, type FactsRequest, stretchesOf } from './facts-request.ts';
import { readHostMetrics } from './host-metrics.ts';
import { pastFrom, readPast } from './past.ts';
import { readPayloadTimes } from './payload-times.ts';
import { readPeerMetrics } from './peer-metrics.ts';
import { readSnapshots } from './snapshots.ts';
import { alertsSource, snapshotSource } from './sources.ts';

interface ServiceRow {
  host: string;
  tags: Record<string, string>;
  interval: number | null;
}

const USUAL_INTERVAL_MS = MINUTE_MS;

/** Gathers all facts of an investigation from one snapshot of the database; null if the service was deleted. */
export async function gatherFacts(sql: Sql, request: FactsRequest): Promise<Facts | null> {
  return await sql.begin('isolation level repeatable read read only', (tx) => gather(tx, request));
}

async function gather(tx: Transaction, request: FactsRequest): Promise<Facts | null> {
  const { organizationId, serviceId, question, from, to, signal } = request;
  const service = await readService(tx, organizationId, serviceId);
  if (service === null) return null;
  const { host, tags, interval } = service;
  const named = { serviceId, host };
  const intervalMs = interval === null || interval <= 0 ? USUAL_INTERVAL_MS : interval * 1_000;
  const stretches = stretchesOf(from, to, intervalMs);
  const { historyFrom, peersFrom, snapshotsFrom } = stretches;
  const alert = await readAlert(tx, organizationId, request.alertIds[0]);
  const subject = alert?.subject ?? { kind: 'host' as const, name: host };
  const query: FactsQuery = {
    ...request,
    subject,
    metric: metricOf(request.metric, subject.kind),
  };
  const metrics = await readHostMetrics(tx, named, query, { historyFrom, peersFrom, intervalMs });
  signal.throwIfAborted();
  const snapshots = await readSnapshots(tx, request, snapshotsFrom);
  const payloadTimes = await readPayloadTimes(tx, request, snapshotsFrom);
  signal.throwIfAborted();
  const alone = withBoundedValues({
    service: { ...named, tags },
    metric: query.metric,
    subject,
    alert,
    question,
    from,
    to,
    historyFrom,
    peersFrom,
    intervalMs,
    metrics,
    snapshots,
    payloadTimes,
    snapshotSource: snapshots.length === 0 ? null : snapshotSource(named, { from: snapshotsFrom, to }),
    peers: [],
    peersLeftOut: 0,
    past: [],
    pastSource: null,
    changes: [],
  });
  const fitted = fittedToHistory(alone);
  const own = { ...fitted, peersFrom: peersFromOf(fitted) };
  const { peers, leftOut } = await choosePeers(tx, request, tags);
  const ofPeers = { ...query, from: own.from };
  const peerFacts = await readPeerMetrics(tx, peers, ofPeers, {
    ...stretchesOf(own.from, to, intervalMs),
    historyFrom,
    peersFrom: own.peersFrom,
    since: comparedSince(own),
  });
  signal.throwIfAborted();
  const past = await readPast(tx, request, alert?.ruleId ?? null);
  const allHosts = [{ ...named, tags }, ...peers];
  const changes = await readChanges(tx, request, historyFrom, allHosts, alert ? { id: alert.ruleId } : null);
  return withBoundedValues({
    ...own,
    peers: peerFacts,
    peersLeftOut: leftOut,
    past,
    pastSource: past.length === 0 ? null : alertsSource(named, { from: pastFrom(to), to }),
    changes,
  });
}

/** The metric of a rule without its prefix: `container.`, `process.`, or the kind of a part. */
function metricOf(metric: string | null, kind: Subject['kind']): string | null {
  if (metric === null || kind === 'host') return metric;
  return kind === 'part' ? (partMetricOf(metric)?.metric ?? metric) : fieldOf(metric);
}

async function readService(
  tx: Transaction,
  organizationId: string,
  serviceId: string,
): Promise<ServiceRow | null> {
  const [row] = await tx<ServiceRow[]>`
    select s.host, s.tags, l.interval_seconds as interval
    from services s left join service_live l on l.organization_id = s.organization_id and l.service_id = s.id
    where s.organization_id = ${organizationId} and s.id = ${serviceId} and s.deleted_at is null`;
  return row ?? null;
}

async function readAlert(
  tx: Transaction,
  organizationId: string,
  id: string | undefined,
): Promise<(AlertFacts & { subject: Subject }) | null> {
  if (id === undefined) return null;
  const [row] = await tx<(Omit<AlertFacts, 'subject'> & Subject)[]>`
    select id, rule_id as "ruleId", rule_name as "ruleName", subject_kind as kind, subject_name as name, severity,
      condition, threshold, no_data as "noData", coalesce(pending_since, fired_at) as "pendingSince",
      fired_at as "firedAt", value_at_fire as value
    from alerts where organization_id = ${organizationId} and id = ${id}`;
  if (row === undefined) return null;
  const { kind, name, ...alert } = row;
  return { ...alert, subject: { kind, name } };
}
