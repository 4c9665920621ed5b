import { openForFile } from '@tidewatch/harness/opened';
import type { Variables } from '@tidewatch/harness/product';
import { createClient } from './client.ts';
import { openTarget, startProduct } from './target.ts';

/** Opens the target of the scenarios of a file, and a client of it; closes it after the last of them. */
export async function openScenario(settings: Variables = {}) {
  const target = await openForFile(openTarget(settings));
  return { target, client: createClient(target) };
}

/** Opens a copy in one process for the scenarios of a file, whatever their target is, and a client of it. */
export async function openProduct(settings: Variables = {}) {
  const product = await startProduct(settings);
  await openForFile({ close: product.remove });
  return { product, client: createClient(product) };
}
