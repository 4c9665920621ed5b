import type { Product, Variables } from '@tidewatch/harness/product';
import type { BenchOptions, NumberLimits, NumberName, OptionName, Topology } from './bench-options.ts';

/** The result of a scenario: whether its figures are valid, and the figures for JSON. */
export interface Outcome {
  valid: boolean;
  figures: unknown;
}

interface Common {
  /** What the scenario measures, for `--help`. */
  measures: string;
  /** The scenario's options in addition to `topology` and `json`. */
  options: readonly OptionName[];
  /** Limits and defaults of numbers that differ from the usual ones. */
  limits?: Partial<Record<NumberName, Partial<NumberLimits>>>;
  /** The topologies that the scenario supports, the default first; only `embedded` if absent. */
  topologies?: readonly Topology[];
  /** Settings of the product in addition to those of all scenarios. */
  settings?: Variables;
  /** Prepares what has to be there before the product starts. */
  prepare?: () => Promise<void>;
  /** False for a scenario without a database that keeps samples. */
  keepsSamples?: false;
  /** True if processes of the product that end are restarted. */
  restarts?: boolean;
}

type Print = (text: string) => void;

/**
 * A scenario of the benchmark, which prints a table. `standsAlone` describes what a scenario without a product measures.
 */
export type Scenario = Common &
  (
    | {
        standsAlone?: undefined;
        run(product: Product, options: BenchOptions, print: Print): Promise<Outcome>;
      }
    | {
        standsAlone: string;
        run(options: BenchOptions, print: Print): Promise<Outcome>;
        /** Ends the processes that the scenario started, when the run is interrupted. */
        interrupt?(): Promise<void>;
      }
  );
