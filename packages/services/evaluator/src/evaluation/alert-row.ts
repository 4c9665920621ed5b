import type { Container, Payload, ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import type { AlertInstanceState } from '@tidewatch/domain/alerting/alert-instance-state';
import { summarize, summarizeAbsence } from '@tidewatch/domain/alerting/summary';
import type { AlertRow } from '@tidewatch/store/alerts/write-row';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { Cause } from './evaluation.ts';

const MAX_IN_CONTEXT = 5;

/** Returns the row of an alert that fires now. `state` is the state after firing, `now` the server’s clock in ms. */
export function alertRowOf(
  instance: AlertInstance,
  state: AlertInstanceState,
  id: string,
  cause: Cause,
  now: number,
): AlertRow {
  const { rule, service } = instance;
  const { subject, metric } = instance.stream;
  const level = rule.levels.find(({ severity }) => severity === state.severity) ?? rule.levels[0];
  const { condition, threshold, thresholdMax, durationMs, severity } = level;
  return {
    organization_id: service.organizationId,
    id,
    rule_id: rule.id,
    rule_name: rule.definition.name,
    rule_version: rule.version,
    service_id: service.serviceId,
    host: service.host,
    subject_kind: subject.kind,
    subject_name: subject.name,
    status: 'active',
    state: 'firing',
    severity,
    metric,
    condition,
    threshold,
    threshold_max: thresholdMax,
    value: state.value,
    value_at_fire: state.value,
    peak_value: state.peakValue,
    summary:
      state.value === null
        ? summarizeAbsence({ host: service.host, subject, metric, afterMs: rule.noData.afterMs })
        : summarize({
            host: service.host,
            subject,
            metric,
            transform: rule.transform,
            value: state.value,
            condition,
            threshold,
            thresholdMax,
            durationMs,
          }),
    pending_since: state.pendingSince,
    fired_at: state.firedAt ?? state.evaluatedAt,
    resolved_at: null,
    resolution: null,
    acknowledged_at: null,
    acknowledged_by: null,
    silenced_by: null,
    silenced_until: null,
    flap_count: state.flapCount,
    backfilled: cause.backfilled(),
    confirmed_at: null,
    shadow: rule.shadow,
    no_data: state.noData,
    context: contextOf(cause.payload),
    comments: [],
    investigation_id: null,
    created_at: now,
    updated_at: now,
  };
}

/** Returns the processes and containers of the payload that use most CPU. */
function contextOf(payload: Payload | null): AlertRow['context'] {
  return {
    processes: busiest(payload?.processes).map(processOf),
    containers: busiest(payload?.containers).map(containerOf),
  };
}

function busiest<T extends ProcessInfo | Container>(members: readonly T[] | undefined): T[] {
  if (!members) return [];
  const cpu = (member: T) => (typeof member.cpu_percent === 'number' ? member.cpu_percent : -1);
  return members.toSorted((a, b) => cpu(b) - cpu(a)).slice(0, MAX_IN_CONTEXT);
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
    health: container.health ?? null,
    cpu_percent: number(container.cpu_percent),
    memory_usage: number(container.memory_usage),
  };
}
