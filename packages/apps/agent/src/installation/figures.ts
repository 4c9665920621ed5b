import { greatest, type MetricReading, total } from '@tidewatch/api-client/prometheus-text';
import { WATCHED } from '@tidewatch/contracts/agent/watched-metrics';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';

/** The metrics of each source, by an object that identifies the source; undefined if the source did not answer. */
export type Pages = ReadonlyMap<object, readonly MetricReading[] | undefined>;

/** When the sources were read, by two clocks. */
export interface ReadTime {
  /** Milliseconds since the epoch. */
  clock: number;
  /** Milliseconds of a clock that never goes back. */
  monotonic: number;
}

/** The max number of processes behind one address whose counters are kept; the one not seen for longest is dropped first. */
const MAX_PROCESSES = 100;

interface Increases {
  /** The period in which the counters rose, ms of the monotonic clock. */
  from: number;
  to: number;
  deadLetters: number;
  jobFailures: number;
}

/** The highest value that was read of each counter of a process. */
type Counters = Map<string, number>;

/**
 * Computes the metrics of an installation from those of its processes: the largest lag (s), dead letters and failed job
 * rounds per minute, the age of the oldest queued notification (s), and the number of processes that did not answer. A
 * metric that no process exposes is left out.
 */
export class InstallationFigures {
  /** The last counters of each process, by source and then by the start time of the process. */
  readonly #known = new Map<object, Map<number, Counters>>();
  #recent: Increases[] = [];
  #before: ReadTime | undefined;

  update(pages: Pages, at: ReadTime): Record<string, number> {
    const seen = [...pages].flatMap(([source, readings]) => (readings ? [{ source, readings }] : []));
    const everything = seen.flatMap(({ readings }) => readings);
    const increases = seen.map(({ source, readings }) => this.#increasesOf(source, readings));
    const rates = this.#rates(increases, at);
    this.#before = at;
    const figures: Record<string, number | undefined> = {
      tidewatch_lag_seconds: greatestOf([
        greatest(everything, WATCHED.writerLag),
        ...increases.map((increase) => increase.evaluatorLag),
      ]),
      tidewatch_notifications_oldest_seconds: greatest(everything, WATCHED.notificationsOldest),
      tidewatch_dead_letters_per_minute:
        total(everything, WATCHED.deadLetters) === undefined ? undefined : rates?.deadLetters,
      tidewatch_job_failures_per_minute:
        total(everything, WATCHED.jobFailures) === undefined ? undefined : rates?.jobFailures,
      tidewatch_processes_away: pages.size - seen.length,
    };
    return Object.fromEntries(
      Object.entries(figures).filter((entry): entry is [string, number] => entry[1] !== undefined),
    );
  }

  /** How much the counters of one process rose since the process was last read. */
  #increasesOf(source: object, readings: readonly MetricReading[]) {
    const counters = this.#countersOf(source, greatest(readings, WATCHED.started) ?? 0);
    const increase = (name: string): number => {
      const value = total(readings, name) ?? 0;
      const before = counters.seen.get(name) ?? (counters.fromZero ? 0 : value);
      counters.seen.set(name, Math.max(before, value));
      return Math.max(0, value - before);
    };
    const evaluations = increase(`${WATCHED.evaluatorLag}_count`);
    const seconds = increase(`${WATCHED.evaluatorLag}_sum`);
    return {
      evaluatorLag: evaluations > 0 ? seconds / evaluations : undefined,
      deadLetters: increase(WATCHED.deadLetters),
      jobFailures: increase(WATCHED.jobFailures),
    };
  }

  /**
   * The known counters of a process. A load balancer may answer for several processes at one address, so processes are
   * distinguished by their start time; the counters of a new process start from zero.
   */
  #countersOf(source: object, started: number): { seen: Counters; fromZero: boolean } {
    const processes = this.#known.get(source) ?? new Map<number, Counters>();
    this.#known.set(source, processes);
    const fromZero = this.#before !== undefined && processes.size > 0 && started * 1_000 > this.#before.clock;
    const seen = processes.get(started) ?? new Map<string, number>();
    processes.delete(started);
    processes.set(started, seen);
    const [oldest] = processes.keys();
    if (processes.size > MAX_PROCESSES && oldest !== undefined) processes.delete(oldest);
    return { seen, fromZero };
  }

  /** Rates per minute, over the last minute or since the previous update; undefined at the first update. */
  #rates(increases: readonly Omit<Increases, 'from' | 'to'>[], at: ReadTime) {
    if (this.#before === undefined) return undefined;
    const to = at.monotonic;
    const deadLetters = sum(increases.map((increase) => increase.deadLetters));
    const jobFailures = sum(increases.map((increase) => increase.jobFailures));
    this.#recent = this.#recent.filter((each) => each.to > to - MINUTE_MS);
    this.#recent.push({ from: this.#before.monotonic, to, deadLetters, jobFailures });
    const minutes = Math.max(1, (to - (this.#recent[0]?.from ?? to)) / MINUTE_MS);
    return {
      deadLetters: sum(this.#recent.map((each) => each.deadLetters)) / minutes,
      jobFailures: sum(this.#recent.map((each) => each.jobFailures)) / minutes,
    };
  }
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

function greatestOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
