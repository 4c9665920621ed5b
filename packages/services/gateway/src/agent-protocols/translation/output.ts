/** A part of a host, as far as series of agents name it. */
export interface HostPart {
  kind: string;
  name: string;
  labels: Record<string, string> | null;
}

/**
 * What adds to an output: one of several cores or instances, which `key` names. Replicas that send the same share one. `interval` is the
 * time between its last two values, ms; 0 before.
 */
export interface Contribution {
  readonly output: Output;
  readonly key: string;
  /** How many series give it their values. */
  users: number;
  time: number;
  value: number;
  interval: number;
}

/** After this many intervals without a value, a contribution no longer counts. */
const MISSED_INTERVALS = 2.5;
/** It counts for at least so long, ms: where replicas send by turns, the time between two values is not that of a scrape. */
const MIN_EXPECTED_MS = 60_000;

/** A metric of ours that is computed from outputs, each of which has it among its feeds. */
export interface Computed {
  readonly output: Output;
  /** Of several that compute one output, the lowest counts. */
  readonly rank: number;
  /** The group of points in which it is to be computed. */
  group: number;
  /** Its value at `time` (ms); undefined while something is missing. What lies within `stepMs` belongs to the time. */
  compute(time: number, stepMs: number): number | undefined;
  /** Ends that it is computed from an input, which is gone for good. */
  unlink(input: Output): void;
}

/** An input that stayed away for longer than this is no longer expected, ms. */
export const INPUT_GONE_MS = 5 * 60_000;

/** Whether an output has a value at this time, is expected to get one, or is not expected any more. */
export function presenceOf(input: Output, time: number, stepMs: number): 'present' | 'expected' | 'gone' {
  const age = Math.abs(time - input.time);
  if (age < stepMs) return 'present';
  return input.time > 0 && age <= INPUT_GONE_MS ? 'expected' : 'gone';
}

/** The max number of contributions with a key of their own; all others share one. */
const MAX_CONTRIBUTIONS = 1_000;
const OTHERS = '\0others';
/** Above that of every row. */
const NO_RANK = 1_000_000;
const NO_FEEDS: readonly Computed[] = [];

/** A metric of a host or of one of its parts, as it is stored. A list that gets an entry is copied, which leaves no room unused. */
export class Output {
  /** The number of its host. */
  readonly host: number;
  /** The position among the metrics of a payload: parts after the host, the metrics of a part beside each other. */
  readonly order: number;
  readonly part: HostPart | null;
  readonly metric: string;
  /** What adds up to it, or is averaged; null where it is the value of one series. */
  contributions: Contribution[] | null = null;
  isMean = false;
  /** Whether its contributions come at times of their own: the last value of each counts while it is not too old. */
  isApart = false;
  /** Whether it is only computed with, and not stored. */
  isHidden = false;
  /** What is computed from it. */
  feeds: readonly Computed[] = NO_FEEDS;
  /** Its last value and the time of that, ms. */
  time = 0;
  value = 0;
  /** The row by which it was last computed; -1 for a value that was sent. */
  rank = NO_RANK;
  /** How many series give it their values; 0 for one that is computed. */
  users = 0;
  /** The group of points that set it last. */
  group = 0;

  constructor(host: number, order: number, part: HostPart | null, metric: string) {
    this.host = host;
    this.order = order;
    this.part = part;
    this.metric = metric;
  }

  /** The contribution with this key, for one more series. */
  contribution(key: string): Contribution {
    const all = this.contributions ?? [];
    const isFull = all.length >= MAX_CONTRIBUTIONS;
    const find = (wanted: string) => all.find((each) => each.key === wanted);
    let known = find(key) ?? (isFull ? find(OTHERS) : undefined);
    if (known === undefined) {
      known = { output: this, key: isFull ? OTHERS : key, users: 0, time: 0, value: 0, interval: 0 };
      this.contributions = all.concat(known);
    }
    known.users += 1;
    return known;
  }

  /** Ends that a series gives a contribution its values; without any it no longer counts. */
  leave(contribution: Contribution): void {
    contribution.users -= 1;
    if (contribution.users > 0) return;
    this.contributions = this.contributions?.filter((each) => each !== contribution) ?? null;
  }

  /** Adds what is computed from it, once. */
  feed(computed: Computed): void {
    if (!this.feeds.includes(computed)) this.feeds = this.feeds.concat(computed);
  }

  /**
   * The sum or mean of all contributions at `time`, ms. A contribution belongs to the time if it lies within `stepMs` of it, and one that
   * comes at times of its own if it is not too far from it. NaN while one that is still expected is missing, such as a core that comes
   * with another request of the same scrape, and where it is not known what others were at a time long ago.
   */
  combined(time: number, stepMs: number): number {
    let sum = 0;
    let count = 0;
    for (const { time: at, value, interval } of this.contributions as Contribution[]) {
      const distance = Math.abs(at - time);
      const reach = MISSED_INTERVALS * interval;
      if (distance < stepMs || (this.isApart && distance <= reach)) {
        if (this.isApart && Number.isNaN(value)) continue;
        sum += value;
        count += 1;
      } else if (this.isApart) {
        if (at > time) return Number.NaN;
      } else if (time - at <= Math.max(MIN_EXPECTED_MS, reach) && at > 0) return Number.NaN;
    }
    if (count === 0) return Number.NaN;
    return this.isMean ? sum / count : sum;
  }
}
