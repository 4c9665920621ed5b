import type { EvaluationOptions } from './options.ts';

/** One set of incidents on which investigations are evaluated. */
export interface Part {
  /** Its flag. */
  readonly key: string;
  readonly name: string;
  /** Prints as it goes; resolves with figures for JSON, or null where its data are not there. */
  run(options: EvaluationOptions, print: (text: string) => void): Promise<unknown> | unknown;
}
