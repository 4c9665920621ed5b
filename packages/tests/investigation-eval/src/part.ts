import type { EvaluationOptions } from './options.ts';

/** A set of incidents on which investigations are evaluated. */
export interface Part {
  /** The name of the command-line flag that selects the part. */
  readonly key: string;
  readonly name: string;
  /** Evaluates the part and prints tables; resolves with figures for JSON, or null if its data is not available. */
  run(options: EvaluationOptions, print: (text: string) => void): Promise<unknown> | unknown;
}
