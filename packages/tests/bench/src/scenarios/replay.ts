import { cpuSeconds, watchPeaks } from '@tidewatch/testkit/process-tree';
import type { Product } from '@tidewatch/testkit/product';
import { type Api, createApi } from '../api.ts';
import { diskBytes, openAdmin, settle } from '../database.ts';
import { isIntact, type LedgerReport } from '../ledger/check.ts';
import { acknowledgedPayloads } from '../ledger/ledger.ts';
import { recountRollups, recountRows } from '../ledger/recount.ts';
import type { GeneratorResult } from '../load/messages.ts';
import { type Plan, samplesOfPayload } from '../load/plan.ts';
import { startGenerator } from '../load/start-generator.ts';
import { createRules } from '../rules.ts';
import { measureYardstick, type Yardstick } from '../yardstick.ts';

export interface LoadResult {
  plan: Plan;
  generator: GeneratorResult;
  payloads: number;
  samples: number;
  /** Of all processes of the product, until nothing is dirty and a checkpoint has ended. */
  cpuSeconds: number;
  settleSeconds: number;
  bytes: Awaited<ReturnType<typeof diskBytes>>;
  peaks: Map<string, number>;
  report: LedgerReport;
  /** Differences of the recount through the API; the first few. */
  rollupDifferences: string[];
  yardstick: Yardstick;
}

const STEP_MS = 10_000;

/** A plan whose last tick is now. `samples` is how many host samples it holds in all. */
export function replayPlan(kind: 'replay' | 'single' | 'rich', samples: number, now: number): Plan {
  const hosts = 1_000;
  const metrics = 10;
  const ticks = Math.max(30, Math.round(samples / (hosts * metrics)));
  return {
    seed: 20_261_121,
    hosts,
    metrics,
    stepMs: STEP_MS,
    startMs: Math.floor(now / STEP_MS) * STEP_MS - ticks * STEP_MS,
    ticks,
    connections: 32,
    payloadsPerRequest: kind === 'single' ? 1 : 100,
    paced: false,
    rich: kind === 'rich',
  };
}

/** Sends a plan to a running product while `during` looks at it, and measures until everything has settled. */
export async function runLoad(
  product: Product,
  plan: Plan,
  during?: (api: Api, ended: AbortSignal) => Promise<void>,
): Promise<LoadResult> {
  const api = createApi(product.url, product.key);
  await createRules(api);
  const peaks = watchPeaks(product.pid);
  const before = cpuSeconds(product.pid());
  const generating = startGenerator({ plan, url: product.url, key: product.key });
  const ended = new AbortController();
  const looking = during?.(api, ended.signal);
  const generator = await generating.result.finally(() => ended.abort());
  await looking;
  const admin = openAdmin(product.dataDir);
  try {
    const settleSeconds = await settle(admin.sql);
    const used = cpuSeconds(product.pid()) - before;
    peaks.stop();
    const bytes = await diskBytes(admin.sql);
    const payloads = acknowledgedPayloads(generator.ledger);
    const report = await recountRows(admin.sql, plan, generator.ledger);
    const rollupDifferences = await recountRollups(api, plan, generator.ledger);
    return {
      plan,
      generator,
      payloads,
      samples: payloads * samplesOfPayload(plan),
      cpuSeconds: used,
      settleSeconds,
      bytes,
      peaks: peaks.peaks(),
      report,
      rollupDifferences,
      yardstick: await measureYardstick(plan, product.dataDir, product.pid()),
    };
  } finally {
    peaks.stop();
    await admin.close();
  }
}

/** True when the recount agrees with the ledger; the table of any other run is void. */
export function isValid(result: LoadResult): boolean {
  return isIntact(result.report) && result.rollupDifferences.length === 0;
}
