import { readFileSync } from 'node:fs';
import { descendants, describeProcess } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';

/** The programs of the product in one process: its own, and that which starts it with a layout of samples. */
const PROGRAMS = ['node standalone/src/main.ts', 'node src/suite/product-of-tests.ts'];

/**
 * The process id of the product in one process, which npm, its shell and the launcher have started; undefined while it does not run, and in
 * the distributed topology.
 */
export function productPid(product: Product): number | undefined {
  return descendants(product.pid()).find(({ pid }) => PROGRAMS.includes(nameOf(pid)))?.pid;
}

function nameOf(pid: number): string {
  try {
    return describeProcess(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return ''; // The process has ended.
  }
}
