import { nab } from './nab/evaluate.ts';
import type { EvaluationOptions } from './options.ts';
import { petshop } from './petshop/part.ts';
import { propagation } from './propagation/evaluate.ts';
import { synthetic } from './synthetic.ts';

/** One thing that investigations are judged on. */
export interface Part {
  /** Its flag. */
  readonly key: string;
  readonly name: string;
  /** Prints as it goes; resolves with figures for JSON, or null where its data are not there. */
  run(options: EvaluationOptions, print: (text: string) => void): Promise<unknown> | unknown;
}

/** Every part of the evaluation, in the order in which they run. */
export const PARTS: readonly Part[] = [synthetic, propagation, petshop, nab];
