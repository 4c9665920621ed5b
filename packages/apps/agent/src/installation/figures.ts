import { greatest, type MetricReading, total } from '@tidewatch/api-client/prometheus-text';

const WRITER_LAG = 'tidewatch_writer_lag_seconds';
const EVALUATOR_LAG = 'tidewatch_evaluator_lag_seconds';
const NOTIFICATIONS_OLDEST = 'tidewatch_notifications_oldest_seconds';
const DEAD_LETTERS = 'tidewatch_dead_letters_total';
const JOB_FAILURES = 'tidewatch_writer_job_failures_total';
const STARTED = 'process_start_time_seconds';

/** The metrics of a process that figures are made from. */
export const WATCHED_METRICS = [
  WRITER_LAG,
  EVALUATOR_LAG,
  NOTIFICATIONS_OLDEST,
  DEAD_LETTERS,
  JOB_FAILURES,
  STARTED,
] as const;

/** What each source showed, by whatever stands for the source; undefined where it did not answer. */
export type Pages = ReadonlyMap<object, readonly MetricReading[] | undefined>;

/** When a look was taken, ms: since the epoch, and on a clock that only ever rises. */
export interface LookTime {
  clock: number;
  monotonic: number;
}

const MINUTE = 60_000;
/** Processes that one address may stand for at once, or one after the other. */
const KNOWN_PROCESSES = 100;

interface Increases {
  /** The span they were seen in, ms on the clock that only ever rises. */
  from: number;
  to: number;
  deadLetters: number;
  jobFailures: number;
}

/** The highest that each counter of a process was seen at. */
type Counters = Map<string, number>;

/**
 * Makes the few figures of an installation that are reported as metrics of a host from what its processes show: the
 * worst lag, s; records given up and failed rounds of jobs a minute, over the last minute; the age of the oldest
 * notification that waits, s; and how many processes did not answer. What nobody shows is left out.
 */
export class InstallationFigures {
  /** By source, then by the time that the process says it was started at. */
  readonly #known = new Map<object, Map<number, Counters>>();
  #recent: Increases[] = [];
  #before: LookTime | undefined;

  look(pages: Pages, at: LookTime): Record<string, number> {
    const seen = [...pages].flatMap(([source, readings]) => (readings ? [{ source, readings }] : []));
    const everything = seen.flatMap(({ readings }) => readings);
    const increases = seen.map(({ source, readings }) => this.#increasesOf(source, readings));
    const rates = this.#rates(increases, at);
    this.#before = at;
    const figures: Record<string, number | undefined> = {
      tidewatch_lag_seconds: greatestOf([
        greatest(everything, WRITER_LAG),
        ...increases.map((increase) => increase.evaluatorLag),
      ]),
      tidewatch_notifications_oldest_seconds: greatest(everything, NOTIFICATIONS_OLDEST),
      tidewatch_dead_letters_per_minute:
        total(everything, DEAD_LETTERS) === undefined ? undefined : rates?.deadLetters,
      tidewatch_job_failures_per_minute:
        total(everything, JOB_FAILURES) === undefined ? undefined : rates?.jobFailures,
      tidewatch_processes_away: pages.size - seen.length,
    };
    return Object.fromEntries(
      Object.entries(figures).filter((entry): entry is [string, number] => entry[1] !== undefined),
    );
  }

  /** What the counters of one process rose by since it was last seen. */
  #increasesOf(source: object, readings: readonly MetricReading[]) {
    const counters = this.#countersOf(source, greatest(readings, STARTED) ?? 0);
    const increase = (name: string): number => {
      const value = total(readings, name) ?? 0;
      const before = counters.seen.get(name) ?? (counters.fromZero ? 0 : value);
      counters.seen.set(name, Math.max(before, value));
      return Math.max(0, value - before);
    };
    const judgings = increase(`${EVALUATOR_LAG}_count`);
    const seconds = increase(`${EVALUATOR_LAG}_sum`);
    return {
      evaluatorLag: judgings > 0 ? seconds / judgings : undefined,
      deadLetters: increase(DEAD_LETTERS),
      jobFailures: increase(JOB_FAILURES),
    };
  }

  /** One address may be that of several processes, taken in turns; a process counts from zero if it is new. */
  #countersOf(source: object, started: number): { seen: Counters; fromZero: boolean } {
    const processes = this.#known.get(source) ?? new Map<number, Counters>();
    this.#known.set(source, processes);
    const fromZero = this.#before !== undefined && processes.size > 0 && started * 1_000 > this.#before.clock;
    const seen = processes.get(started) ?? new Map<string, number>();
    processes.delete(started);
    processes.set(started, seen);
    const [oldest] = processes.keys();
    if (processes.size > KNOWN_PROCESSES && oldest !== undefined) processes.delete(oldest);
    return { seen, fromZero };
  }

  /** Increases a minute, over the last minute and at least since the look before; undefined at the first look. */
  #rates(increases: readonly Omit<Increases, 'from' | 'to'>[], at: LookTime) {
    if (this.#before === undefined) return undefined;
    const to = at.monotonic;
    const deadLetters = sum(increases.map((increase) => increase.deadLetters));
    const jobFailures = sum(increases.map((increase) => increase.jobFailures));
    this.#recent = this.#recent.filter((each) => each.to > to - MINUTE);
    this.#recent.push({ from: this.#before.monotonic, to, deadLetters, jobFailures });
    const minutes = Math.max(1, (to - (this.#recent[0]?.from ?? to)) / MINUTE);
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
