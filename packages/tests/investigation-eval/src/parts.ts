import type { EvaluationOptions } from './options.ts';
import { synthetic } from './synthetic.ts';

/** One thing that investigations are judged on. */
export interface Part {
  readonly name: string;
  /** Prints as it goes; resolves with figures for JSON, or null where its data are not there. */
  run(options: EvaluationOptions, print: (text: string) => void): Promise<unknown> | unknown;
}

/** Every part of the evaluation, in the order in which they run. */
export const PARTS: readonly Part[] = [synthetic];
