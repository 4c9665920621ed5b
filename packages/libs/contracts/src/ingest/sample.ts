import { DAY_MS } from '../time/duration.ts';
import type { PartValues } from './part-shape.ts';

/** A container of a host. Fields other than the texts are metrics: finite numbers. */
export interface Container {
  name: string;
  image?: string;
  status?: string;
  /** The id by the runtime, which a container keeps when it is renamed. */
  id?: string;
  /** Result of the runtime's health check, such as `healthy`, `unhealthy` or `starting`. */
  health?: string;
  [metric: string]: string | number | undefined;
}

export interface ProcessInfo {
  name: string;
  pid: number;
  cpu_percent?: number;
  /** Resident set size, bytes. */
  memory_rss?: number;
}

/** How many processes of each name run, as parallel lists: also of names that `processes` leaves out. */
export interface ProcessCounts {
  names: readonly string[];
  counts: readonly number[];
}

/**
 * The validated payload of one host at one time (`time` in ms since the epoch). `metrics` and `values` are parallel lists;
 * payloads with the same names may share one list of names.
 */
export interface Payload {
  host: string;
  time: number;
  metrics: readonly string[];
  values: readonly number[];
  tags?: Record<string, string>;
  containers?: Container[];
  processes?: ProcessInfo[];
  processCounts?: ProcessCounts;
  parts?: PartValues;
}

/** The numeric fields of an object as parallel lists of names and values. */
export function metricsOf(fields: Readonly<Record<string, unknown>>): Pick<Payload, 'metrics' | 'values'> {
  const metrics: string[] = [];
  const values: number[] = [];
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (typeof value !== 'number') continue;
    metrics.push(name);
    values.push(value);
  }
  return { metrics, values };
}

/** A record of the topic `tidewatch.samples`: the payloads of one ingest request of one organization. */
export interface SampleBatch {
  kind: 'samples';
  organizationId: string;
  /** When ingest received the request, ms. */
  receivedAt: number;
  /** For how long ingest itself was stalled just before this request, for example stopped or blocked, ms. */
  stalledMs: number;
  /** The id of the request's receipt, if the client requested one. */
  receiptId?: string;
  payloads: Payload[];
}

/** States that the topic is complete up to a time: no record received before `at` (ms) will follow. */
export interface Heartbeat {
  kind: 'heartbeat';
  at: number;
}

export type SampleRecord = SampleBatch | Heartbeat;

/** The limits of a body of ingest. Lengths are in code points. */
export const BOUNDS = {
  payloads: 1_000,
  wireBytes: 1_048_576,
  inflatedBytes: 16 * 1_048_576,
  host: 255,
  metrics: 512,
  metricName: 200,
  tags: 64,
  tagName: 128,
  tagValue: 256,
  containers: 500,
  containerName: 255,
  containerImage: 512,
  containerStatus: 64,
  containerId: 128,
  containerHealth: 64,
  /** The max number of numeric fields of a container besides `cpu_percent` and `memory_usage`. */
  containerMetrics: 32,
  processes: 1_000,
  processName: 255,
  /** The max number of names with a count of processes. */
  processCounts: 1_000,
  /** The earliest time of a sample, ms: 2000-01-01T00:00:00Z. */
  earliestTime: 946_684_800_000,
  /** How far a sample may be ahead of its arrival, ms. */
  aheadMs: DAY_MS,
} as const;
