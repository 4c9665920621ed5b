import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';
import type { FittedParts, FoundPart } from './collectors/collector.ts';

/** The values of one reading of the machine, with counters already converted to rates. */
export interface Reading {
  /** When the metrics were read, milliseconds since the epoch. */
  time: number;
  metrics: Record<string, number>;
  processes: ProcessInfo[];
  /** The number of processes by name, also of names that `processes` leaves out; undefined where it is unknown. */
  processCounts?: Readonly<Record<string, number>> | undefined;
  /** The containers; undefined if no container engine answers, an empty list if there are none. */
  containers: Container[] | undefined;
  /** The parts of the host that fit into a payload. */
  parts?: FittedParts;
}

/** Reads the machine. The first reading has no rates, because these need two readings. */
export interface Collector {
  read(): Promise<Reading>;
}

/** Converts a reading to a payload of the ingest API. */
export function toPayload(reading: Reading, host: string, tags: Readonly<Record<string, string>>): string {
  const { metrics, parts } = reading;
  return JSON.stringify({
    host,
    timestamp: new Date(reading.time).toISOString(),
    metrics: parts === undefined ? metrics : { ...metrics, parts_left_out: parts.leftOut },
    ...(Object.keys(tags).length > 0 && { tags }),
    ...(reading.containers !== undefined && { docker_containers: reading.containers }),
    ...(reading.processes.length > 0 && { processes: reading.processes }),
    ...(parts !== undefined && parts.parts.length > 0 && { parts: parts.parts.map(toPart) }),
    ...(reading.processCounts !== undefined && { process_counts: reading.processCounts }),
  });
}

/** The numbers of a part stand beside its name, as those of a container do. */
function toPart({ kind, name, labels, metrics }: FoundPart): Record<string, unknown> {
  return { ...metrics, kind, name, ...(labels && Object.keys(labels).length > 0 && { labels }) };
}

/** Rounds to two decimals: further ones are not significant for percentages and rates, and compress worse. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Converts a text to one that ingest accepts: no unpaired surrogate, no control character, at most `length` code points. */
export function cleanText(text: string, length: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  const visible = text.toWellFormed().replace(/[\u0000-\u001f\u007f]/g, '\ufffd');
  return visible.length <= length ? visible : [...visible].slice(0, length).join('');
}
