import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { isSameList } from '@tidewatch/contracts/values/lists';

/** The series of a host's payload, without those of its containers. */
export interface Report {
  host: string;
  metrics: readonly string[];
  /** The parts and metrics of its parts: see `PartShape`. */
  keys: readonly string[];
}

/** How much of a body is as the last payloads of its hosts were. */
export interface Repetition {
  /** The number of samples whose series these had. */
  samples: number;
  /** The other payloads. */
  changed: Report[];
}

interface Remembered extends Report {
  /** ms */
  until: number;
}

/** The sum of the lengths of all lists that are kept; beyond it all are dropped. */
const MAX_SERIES = 2_000_000;
/** How long a report counts, ms: its series may become inactive, or its service may be deleted. Hosts expire one after the other. */
const MIN_REMEMBERED_MS = 300_000;
const SPREAD_MS = 300_000;
const SPREAD_STEPS = 64;
const NONE: readonly string[] = [];

/** Remembers of each host the last payload that was published, to which most payloads are alike. */
export class ReportedSeries {
  readonly #monotonic: () => number;
  readonly #hosts = new Map<string, Map<string, Remembered>>();
  #size = 0;
  #added = 0;

  /** `monotonic`: milliseconds. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  compare(organizationId: string, payloads: readonly Payload[]): Repetition {
    const hosts = this.#hosts.get(organizationId);
    const now = this.#monotonic();
    const repetition: Repetition = { samples: 0, changed: [] };
    for (const { host, metrics, parts } of payloads) {
      const keys = parts === undefined ? NONE : parts.shape.keys;
      const last = hosts?.get(host);
      if (last === undefined || last.until <= now || !isSameList(last.metrics, metrics))
        repetition.changed.push({ host, metrics, keys });
      else if (isSameList(last.keys, keys)) repetition.samples += metrics.length + keys.length;
      else {
        repetition.samples += metrics.length;
        repetition.changed.push({ host, metrics, keys });
      }
    }
    return repetition;
  }

  /** To be called once the payloads are durable. */
  remember(organizationId: string, reports: readonly Report[]): void {
    for (const { host, metrics, keys } of reports) {
      if (this.#size > MAX_SERIES) this.#clear();
      let hosts = this.#hosts.get(organizationId);
      if (hosts === undefined) {
        hosts = new Map();
        this.#hosts.set(organizationId, hosts);
      }
      const former = hosts.get(host);
      if (former !== undefined) this.#size -= sizeOf(former);
      this.#added += 1;
      const spread = (SPREAD_MS / SPREAD_STEPS) * (this.#added % SPREAD_STEPS);
      const remembered = { host, metrics, keys, until: this.#monotonic() + MIN_REMEMBERED_MS + spread };
      hosts.set(host, remembered);
      this.#size += sizeOf(remembered);
    }
  }

  #clear(): void {
    this.#hosts.clear();
    this.#size = 0;
  }
}

/** One more than its lists have, for the host itself. */
function sizeOf({ metrics, keys }: Report): number {
  return 1 + metrics.length + keys.length;
}
