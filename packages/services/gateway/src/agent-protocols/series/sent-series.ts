/**
 * What the values of a series are. `counter`: a sum that only grows until it begins again at 0. `delta`: what was added since
 * the start of the point. `unknown`: the protocol does not say, so that the name decides.
 */
export type SeriesType = 'gauge' | 'counter' | 'delta' | 'unknown';

/** The ingest protocols of other agents. */
export type AgentProtocolName = 'remote_write' | 'otlp' | 'influx' | 'collectd' | 'datadog';

/** A series as an agent names it. Lists of labels are names and values by turns, sorted by name, without repeated names. */
export interface SentSeries {
  protocol: AgentProtocolName;
  /** The name of the metric as it was sent; that of line protocol is `measurement_field`. */
  name: string;
  /** Labels of the series itself: labels of Prometheus but the name, attributes of a point of OTLP, tags of Influx. */
  labels: readonly string[];
  /** Labels of what sends it: attributes of the resource of OTLP; empty elsewhere. */
  resource: readonly string[];
  type: SeriesType;
  /** Unit as the protocol says it, such as `By`, `s` or `1`; empty where it says none. */
  unit: string;
}

/** One point of a histogram. `bounds` has one entry less than `counts`, ascending; both are empty where only count and sum are known. */
export interface HistogramPoint {
  count: number;
  /** Undefined where the sender does not state it. */
  sum: number | undefined;
  bounds: readonly number[];
  counts: readonly number[];
}

/** The value of a label in such a list; undefined if there is none. */
export function labelOf(labels: readonly string[], name: string): string | undefined {
  for (let at = 0; at < labels.length; at += 2) if (labels[at] === name) return labels[at + 1];
  return undefined;
}
