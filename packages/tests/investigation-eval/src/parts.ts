import { nab } from './nab/evaluate.ts';
import type { Part } from './part.ts';
import { petshop } from './petshop/part.ts';
import { propagation } from './propagation/evaluate.ts';
import { nezha, servers } from './recorded/parts.ts';
import { synthetic } from './synthetic.ts';

/** Every part of the evaluation, in the order in which they run. */
export const PARTS: readonly Part[] = [synthetic, propagation, petshop, nezha, servers, nab];
