import { isPresence } from '@tidewatch/contracts/rules/rule-metric';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { PAYLOADS_UNTIL_GONE } from '@tidewatch/domain/alerting/absence';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import { type ProcessSum, readProcessesSince } from '@tidewatch/store/rule-states/processes';
import type { RuleIndex } from '../../rules/rule-index.ts';
import { removeStream, streamOf } from '../compile-streams.ts';
import type { EvaluatedService } from '../evaluated-service.ts';
import type { Stream } from '../stream.ts';
import { streamName } from '../stream-name.ts';
import { follow, type RestoredService, takeIn } from './catch-up.ts';

/** The number of hosts whose payloads are read by one query. */
const SERVICES_AT_ONCE = 50;
/** The share of a window that is read: a window has 120 parts and may reach into one more. */
const WINDOW_SHARE = 121 / 120;

/** A host whose processes were restored, and the metrics from which values are derived. */
interface Rebuilt {
  service: EvaluatedService;
  derived: ReadonlySet<string>;
}

/**
 * Fills the windows of processes from stored payloads that are already evaluated, and updates their alert instances. Only
 * payloads contain names and values of processes.
 */
export async function rebuildProcesses(
  sql: Sql,
  rules: RuleIndex,
  restored: readonly RestoredService[],
  turn: Turn,
): Promise<void> {
  const rebuilt = new Map<string, Rebuilt>();
  const wanted: { org: string; id: string; after: number; until: number }[] = [];
  for (const { service, evaluatedUntil } of restored) {
    const until = Math.min(evaluatedUntil, service.members.process.evaluatedAt);
    const widths = await widthsOf(service, rules, turn);
    const since = [...widths.values()].map((width) => until - width * WINDOW_SHARE);
    for (const { subject, metric, instances } of service.streams.values())
      if (subject.kind === 'process' && !isPresence(metric))
        for (const instance of instances) if (instance.phase !== null) since.push(instance.evaluatedAt);
    if (since.length === 0 || until === Number.NEGATIVE_INFINITY) continue;
    rebuilt.set(service.serviceId, { service, derived: new Set(widths.keys()) });
    wanted.push({ org: service.organizationId, id: service.serviceId, after: Math.min(...since), until });
  }
  for (let start = 0; start < wanted.length; start += SERVICES_AT_ONCE) {
    const sums = await readProcessesSince(sql, wanted.slice(start, start + SERVICES_AT_ONCE));
    for (const [id, own] of Map.groupBy(sums, ({ serviceId }) => serviceId)) {
      const payloads = Map.groupBy(own, ({ time }) => time);
      for (const payload of payloads.values()) {
        takePayload(rebuilt.get(id) as Rebuilt, rules, payload);
        if (turn.isOver) await turn.yieldWhenDue();
      }
    }
  }
  for (const { service } of rebuilt.values())
    for (const stream of service.streams.values()) if (stream.subject.kind === 'process') stream.settle();
}

/** Returns the longest window of each metric of processes that has derived values on this host, ms. */
async function widthsOf(
  { organizationId, host, tags }: EvaluatedService,
  rules: RuleIndex,
  turn: Turn,
): Promise<Map<string, number>> {
  const widths = new Map<string, number>();
  for (const metric of rules.metricsOf(organizationId, 'process')) {
    const own = rules.forMetric(organizationId, metric);
    await own.match(host, tags, null, turn);
    for (const set of own.derived.values()) {
      for (const { transform } of set.matching(host, tags).rules) {
        const width = (transform?.over_minutes ?? 0) * MINUTE_MS;
        widths.set(metric, Math.max(width, widths.get(metric) ?? 0));
      }
    }
  }
  return widths;
}

/** Applies one payload: the sums of all names, none for a payload without processes. */
function takePayload({ service, derived }: Rebuilt, rules: RuleIndex, payload: readonly ProcessSum[]): void {
  const present = new Set<string>();
  for (const { name, time, cpuPercent, memoryRss } of payload) {
    if (name === null) continue;
    present.add(name);
    const values = { 'process.cpu_percent': cpuPercent, 'process.memory_rss': memoryRss };
    for (const [metric, value] of Object.entries(values)) {
      if (value === null) continue;
      const subject = { kind: 'process', name } as const;
      const base = derived.has(metric)
        ? streamOf(service, rules, subject, metric)
        : service.streams.get(streamName(subject, metric));
      if (!base) continue;
      base.missed = 0;
      for (const instance of base.instances) follow(instance, time, value);
      for (const stream of base.derived) takeIn(stream, time, value);
    }
  }
  for (const stream of service.members.process.streams ?? [])
    if (!present.has(stream.subject.name) && !isPresence(stream.metric)) miss(service, stream);
}

/**
 * Counts a payload without the process, as evaluation does: a process that is gone is removed, or its windows start again.
 */
function miss(service: EvaluatedService, base: Stream): void {
  base.missed += 1;
  if (base.missed < PAYLOADS_UNTIL_GONE) return;
  const streams = [base, ...base.derived];
  const { subject, key } = base;
  if (streams.every(({ instances }) => instances.every(({ phase }) => phase === null)))
    removeStream(service, streamName(subject, key), base);
  else for (const { window } of streams) window?.clear();
}
