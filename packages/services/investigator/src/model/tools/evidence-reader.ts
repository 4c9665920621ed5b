import type { EvidenceDraft } from '@tidewatch/domain/investigation/finding';

/** A time range, ms since the epoch. */
export interface Window {
  /** inclusive */
  readonly from: number;
  /** exclusive */
  readonly to: number;
}

export interface SeriesQuestion extends Window {
  readonly host: string;
  readonly metric: string;
  /** Name of the container that reports the metric; null for the host itself. */
  readonly container: string | null;
  /** Kind and name of the part that reports the metric, such as `filesystem:/var`; absent for hosts and containers. */
  readonly part?: string;
}

export interface PartsQuestion {
  readonly host: string;
  /** Kind of the parts, such as `filesystem`; null for any. */
  readonly kind: string | null;
  /** ms since the epoch */
  readonly at: number;
}

export interface HostsQuestion {
  /** A pattern of host names with `*`; null for any host. */
  readonly host: string | null;
  /** Tags that hosts must all have. */
  readonly tags: Readonly<Record<string, string>>;
  readonly limit: number;
}

/**
 * Reads data for the tools of a model, only of the organization that the reader was created for. Returns null if nothing
 * has the requested name. Results have at most 240 points; equal results have the same `ref`.
 */
export interface EvidenceReader {
  series(question: SeriesQuestion, signal: AbortSignal): Promise<EvidenceDraft | null>;
  /** Processes and containers of the newest snapshot at or before `at`. */
  processes(question: { host: string; at: number }, signal: AbortSignal): Promise<EvidenceDraft | null>;
  /** Parts of the newest payload with parts at or before `at`, with their values. */
  parts(question: PartsQuestion, signal: AbortSignal): Promise<EvidenceDraft | null>;
  /** Alerts of a host that were active in the window. */
  alerts(question: { host: string } & Window, signal: AbortSignal): Promise<EvidenceDraft | null>;
  /** Hosts with their tags and states. */
  hosts(question: HostsQuestion, signal: AbortSignal): Promise<EvidenceDraft | null>;
}
