import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { PointBatch } from '../series/point-batch.ts';
import type { AgentProtocolName } from '../series/sent-series.ts';

/** The counters of ingest by protocols of other agents. */
export interface AgentMeter {
  /** Counts the points of a request that was answered. */
  answered(protocol: AgentProtocolName, batch: PointBatch): void;
}

export function createAgentMeter(metrics: Metrics): AgentMeter {
  const points = metrics.counter(
    'tidewatch_foreign_points_total',
    'Points that other agents sent, by protocol.',
    ['protocol'],
  );
  const rejected = metrics.counter(
    'tidewatch_foreign_rejected_total',
    'Points of other agents that were refused for ever, by protocol and reason.',
    ['protocol', 'reason'],
  );
  const omitted = metrics.counter(
    'tidewatch_foreign_left_out_total',
    'Points of other agents that were taken and are not stored, by protocol and reason.',
    ['protocol', 'reason'],
  );
  return {
    answered(protocol, { series, histograms, refusals, omissions }) {
      points.inc({ protocol }, series.length + histograms.length);
      for (const [reason, count] of refusals.reasons) rejected.inc({ protocol, reason }, count);
      for (const [reason, count] of omissions) omitted.inc({ protocol, reason }, count);
    },
  };
}
