import type { Container, ProcessInfo } from '@tidewatch/contracts/ingest/sample';

/** A part of the host, such as a file system or a disk, with the numbers that were read of it. */
export interface FoundPart {
  kind: string;
  /** The name, which identifies the part among those of its kind. */
  name: string;
  labels?: Record<string, string>;
  metrics: Record<string, number>;
}

/** The parts of a host that fit into a payload, each kind and name once. */
export interface FittedParts {
  parts: FoundPart[];
  /** The number of parts that were left out. */
  leftOut: number;
}

/** What one collector read. Each collector has metrics and kinds of parts of its own. */
export interface Found {
  metrics?: Record<string, number>;
  /** The parts, the most important ones of each kind first. */
  parts?: FoundPart[];
  processes?: ProcessInfo[];
  processCounts?: Record<string, number>;
  containers?: Container[];
}

/** Reads one kind of fact about the host. */
export interface HostCollector {
  /** The name by which options switch the collector off, and which log lines contain. */
  name: string;
  /**
   * Reads at `at`, in ms of a clock that never goes back; rates are from the second reading on. What the machine does not
   * have is left out; a rejection means that something which should be readable was not.
   */
  read(at: number): Found | Promise<Found>;
}
