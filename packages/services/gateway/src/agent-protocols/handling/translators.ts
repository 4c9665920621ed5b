import { randomBytes } from 'node:crypto';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { LRUCache } from 'lru-cache';
import { CounterStates } from '../series/counter-states.ts';
import { SeriesTable } from '../series/series-table.ts';
import { KnownSeries } from '../translation/known-series.ts';
import { type CounterForm, Translator } from '../translation/translator.ts';
import { SeriesHash } from '../wire/series-hash.ts';

export interface TranslatorsOptions {
  /** The max number of series of all organizations that are remembered. */
  maxSeries: number;
  hostLabels: readonly string[];
  /** Whether series of applications on hosts are stored. */
  applications: boolean;
  counterForm: CounterForm;
  stepMs: number;
  /** Milliseconds since the epoch. */
  clock: () => number;
  metrics: Metrics;
}

interface Known {
  translator: Translator;
  /** When the older generation of its series was dropped, ms. */
  turnedAt: number;
  table: SeriesTable;
}

const MAX_ORGANIZATIONS = 10_000;
const UNUSED_MS = 30 * 60_000;

/** The translators of organizations, whose series together are bounded. */
export class Translators {
  readonly #options: TranslatorsOptions;
  readonly #counters = new CounterStates();
  readonly #series = new KnownSeries(this.#counters);
  readonly #total = { series: 0 };
  readonly #known = new LRUCache<string, Known>({
    max: MAX_ORGANIZATIONS,
    dispose: ({ table }) => {
      table.turn();
      table.turn();
    },
  });
  readonly #evicted: { inc(count?: number): void };
  readonly #remembered: { set(count: number): void };

  constructor(options: TranslatorsOptions) {
    this.#options = options;
    const { metrics } = options;
    this.#evicted = metrics.counter(
      'tidewatch_foreign_series_evicted_total',
      'Series of other agents that were forgotten because there are too many, so that counters among them begin again.',
    );
    this.#remembered = metrics.gauge(
      'tidewatch_foreign_series',
      'Series of other agents that are remembered.',
    );
  }

  /** How many series are remembered. */
  get series(): number {
    return this.#total.series;
  }

  /** The translator of an organization. Makes room for its series first, where there is none. */
  of(organizationId: string): Translator {
    let known = this.#known.get(organizationId);
    if (known === undefined) {
      const { hostLabels, applications, counterForm, stepMs } = this.#options;
      const table = new SeriesTable(this.#series.numbers, this.#total, (series) =>
        this.#series.release(series),
      );
      const hash = new SeriesHash([randomBytes(4).readInt32LE(), randomBytes(4).readInt32LE()]);
      known = {
        table,
        turnedAt: this.#options.clock(),
        translator: new Translator({
          counters: this.#counters,
          known: this.#series,
          table,
          hash,
          hostLabels,
          applications,
          counterForm,
          stepMs,
        }),
      };
      this.#known.set(organizationId, known);
    }
    this.#dropUnused(known);
    this.#makeRoom();
    return known.translator;
  }

  /** Drops series that did not come for half an hour to an hour, so that other parts of a host can take their place. */
  #dropUnused(known: Known): void {
    const now = this.#options.clock();
    if (now - known.turnedAt < UNUSED_MS) return;
    known.turnedAt = now;
    known.table.turn();
  }

  /** Drops the older series of the organization that has most, until there is room. */
  #makeRoom(): void {
    this.#remembered.set(this.#total.series);
    while (this.#total.series > this.#options.maxSeries) {
      const [first, ...others] = [...this.#known.values()] as [Known, ...Known[]];
      const largest = others.reduce((a, b) => (b.table.size > a.table.size ? b : a), first);
      this.#evicted.inc(largest.table.turn());
    }
  }
}
