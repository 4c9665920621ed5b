import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';

/** What one look at the machine found; counters are already rates. Times are milliseconds since the epoch. */
export interface Reading {
  time: number;
  metrics: Record<string, number>;
  processes: ProcessInfo[];
  /** undefined where nobody can be asked: an empty list says that there are none. */
  containers: Container[] | undefined;
}

/** The containers of a machine, and how many more there are than a payload can hold. */
export interface FoundContainers {
  containers: Container[];
  leftOut: number;
}

/** `containers_left_out` where the machine's containers are known. */
export function containerMetrics(found: FoundContainers | undefined): Record<string, number> {
  return found === undefined ? {} : { containers_left_out: found.leftOut };
}

/** Looks at the machine. Rates need two looks, so the first one leaves them out. */
export interface Collector {
  read(): Promise<Reading>;
}

/** The wire body of a reading. */
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

/** Two decimals are what a percentage or a rate is good for, and they compress well. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Text that every receiver can store: no unpaired surrogate, no control characters, at most `length` code points. */
export function cleanText(text: string, length: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  const visible = text.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, '\ufffd');
  return visible.length <= length ? visible : [...visible].slice(0, length).join('');
}
