import type { HostParts } from './host-parts.ts';
import type { MonitoredHost } from './monitored-host.ts';
import type { Stream } from './stream.ts';

export type MemberKind = 'container' | 'process';

/** The containers, or the processes, of a host. */
export interface Members {
  evaluatedAt: number;
  /** Up to when payloads were evaluated that say which of them are there, ms. */
  presenceAt: number;
  /** The names that rules expect on this host; null until they are looked up for the present rules and tags. */
  expected: readonly string[] | null;
  /** The evaluated streams of containers or processes; null before the first, because most hosts have none. */
  streams: Set<Stream> | null;
}

/** A monitored host with its streams, in the memory of the evaluator. */
export interface EvaluatedService extends MonitoredHost {
  /** Generation of the rules that `streams` were compiled from. */
  generation: number;
  /** The evaluated streams of the host by the name of the stream. */
  readonly streams: Map<string, Stream>;
  /** Streams of containers and of processes, and up to when payloads with them were evaluated. */
  readonly members: Record<MemberKind, Members>;
  readonly parts: HostParts;
  /** The metrics of the last payload; `metricStreams` has the stream of each, null if no rule evaluates the metric. */
  metrics: readonly string[];
  metricStreams: (Stream | null)[];
}
