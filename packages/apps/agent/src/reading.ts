import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';

/** A reading of the machine. Counters are already converted to rates. */
export interface Reading {
  /** ms since the epoch */
  time: number;
  metrics: Record<string, number>;
  processes: ProcessInfo[];
  /** The containers; undefined if no container engine answers, an empty list if there are none. */
  containers: Container[] | undefined;
}

/** The containers of a machine that fit into a payload. */
export interface FoundContainers {
  containers: Container[];
  /** The number of containers that were left out. */
  leftOut: number;
}

/** `containers_left_out` where the machine's containers are known. */
export function containerMetrics(found: FoundContainers | undefined): Record<string, number> {
  return found === undefined ? {} : { containers_left_out: found.leftOut };
}

/** Reads the machine. Rates need two readings, so the first reading has none. */
export interface Collector {
  read(): Promise<Reading>;
}

/** The reading as a payload of the ingest API. */
export function toPayload(reading: Reading, host: string, tags: Readonly<Record<string, string>>): string {
  return JSON.stringify({
    host,
    timestamp: new Date(reading.time).toISOString(),
    metrics: reading.metrics,
    ...(Object.keys(tags).length > 0 && { tags }),
    ...(reading.containers !== undefined && { docker_containers: reading.containers }),
    ...(reading.processes.length > 0 && { processes: reading.processes }),
  });
}

/** Rounds to two decimals: more are not significant for a percentage or rate, and compress worse. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Text that ingest accepts: no unpaired surrogate, no control character, at most `length` code points. */
export function cleanText(text: string, length: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  const visible = text.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, '\ufffd');
  return visible.length <= length ? visible : [...visible].slice(0, length).join('');
}
