import type { Container, Payload, ProcessInfo } from '@tidewatch/contracts/sample';
import type { PairState } from '@tidewatch/domain/alerting/judge';
import { summarize } from '@tidewatch/domain/alerting/summary';
import type { AlertRow } from '@tidewatch/store/alerts/write-row';
import type { Pair } from '../memory/judged-service.ts';

const MOST_IN_CONTEXT = 5;

/** The row of an alert that fires now. `state` is that of the pair after it fired, `now` the server's clock in ms. */
export function alertRowOf(
  pair: Pair,
  state: PairState,
  id: string,
  payload: Payload,
  backfilled: boolean,
  now: number,
): AlertRow {
  const { rule, service } = pair;
  const { condition, threshold, thresholdMax, durationMs, metric } = rule;
  return {
    org_id: service.organizationId,
    id,
    rule_id: rule.id,
    rule_name: rule.definition.name,
    rule_version: rule.version,
    service_id: service.serviceId,
    host: service.host,
    status: 'active',
    state: 'firing',
    severity: rule.severity,
    metric,
    condition,
    threshold,
    threshold_max: thresholdMax,
    value: state.value,
    value_at_fire: state.value,
    peak_value: state.peakValue,
    summary: summarize({
      host: service.host,
      metric,
      value: state.value,
      condition,
      threshold,
      thresholdMax,
      durationMs,
    }),
    pending_since: state.pendingSince,
    fired_at: state.firedAt ?? state.judgedAt,
    resolved_at: null,
    resolution: null,
    acknowledged_at: null,
    acknowledged_by: null,
    silenced_by: null,
    flap_count: state.flapCount,
    backfilled,
    shadow: false,
    no_data: false,
    context: contextOf(payload),
    comments: [],
    investigation_id: null,
    created_at: now,
    updated_at: now,
  };
}

/** The processes and containers of the payload that use most CPU. */
function contextOf(payload: Payload): AlertRow['context'] {
  return {
    processes: busiest(payload.processes).map(processOf),
    containers: busiest(payload.containers).map(containerOf),
  };
}

function busiest<T extends ProcessInfo | Container>(members: readonly T[] | undefined): T[] {
  if (!members) return [];
  const cpu = (member: T) => (typeof member.cpu_percent === 'number' ? member.cpu_percent : -1);
  return members.toSorted((a, b) => cpu(b) - cpu(a)).slice(0, MOST_IN_CONTEXT);
}

function processOf(process: ProcessInfo) {
  const { name, pid, cpu_percent = null, memory_rss = null } = process;
  return { name, pid, cpu_percent, memory_rss };
}

function containerOf(container: Container) {
  const number = (value: unknown) => (typeof value === 'number' ? value : null);
  return {
    name: container.name,
    image: container.image ?? null,
    status: container.status ?? null,
    cpu_percent: number(container.cpu_percent),
    memory_usage: number(container.memory_usage),
  };
}
