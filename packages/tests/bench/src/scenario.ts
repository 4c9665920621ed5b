import type { Product, Variables } from '@tidewatch/harness/product';
import type { BenchOptions, NumberLimits, NumberName, OptionName, Topology } from './bench-options.ts';

/** What a scenario leaves: whether its figures count, and they themselves for JSON. */
export interface Outcome {
  valid: boolean;
  figures: unknown;
}

interface Common {
  /** For `--help`. */
  measures: string;
  /** Those that it takes besides `topology` and `json`. */
  options: readonly OptionName[];
  /** Where its limits and defaults of numbers are others than usual. */
  limits?: Partial<Record<NumberName, Partial<NumberLimits>>>;
  /** The first is the default; `embedded` alone where they are absent. */
  topologies?: readonly Topology[];
  /** Settings of the product besides those of all scenarios. */
  settings?: Variables;
  /** Whether a stack starts again what ends. */
  restarts?: boolean;
}

type Print = (text: string) => void;

/** One thing that the bench measures; it prints its table. One that stands alone names what it measures in place of a product. */
export type Scenario = Common &
  (
    | {
        standsAlone?: undefined;
        run(product: Product, options: BenchOptions, print: Print): Promise<Outcome>;
      }
    | { standsAlone: string; run(options: BenchOptions, print: Print): Promise<Outcome> }
  );
