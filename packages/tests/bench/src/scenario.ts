import type { Product, Variables } from '@tidewatch/harness/product';
import type { BenchOptions, NumberLimits, NumberName, OptionName, Topology } from './bench-options.ts';

/** The result of a scenario: whether its figures are valid, and the figures for JSON. */
export interface Outcome {
  valid: boolean;
  figures: unknown;
}

interface Common {
  /** For `--help`. */
  measures: string;
  /** Its options in addition to `topology` and `json`. */
  options: readonly OptionName[];
  /** Limits and defaults of numbers that differ from the usual ones. */
  limits?: Partial<Record<NumberName, Partial<NumberLimits>>>;
  /** The first is the default; `embedded` alone where they are absent. */
  topologies?: readonly Topology[];
  /** Settings of the product in addition to those of all scenarios. */
  settings?: Variables;
  /** Whether a stack starts again what ends. */
  restarts?: boolean;
}

type Print = (text: string) => void;

/** One scenario of the bench, which prints its table. A scenario without a product names what it measures instead. */
export type Scenario = Common &
  (
    | {
        standsAlone?: undefined;
        run(product: Product, options: BenchOptions, print: Print): Promise<Outcome>;
      }
    | { standsAlone: string; run(options: BenchOptions, print: Print): Promise<Outcome> }
  );
