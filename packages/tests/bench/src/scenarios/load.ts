import { cpuByName, cpuSeconds, descendants } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { readStackFile } from '@tidewatch/stack/stack-file';
import { type Api, createApi } from '../api.ts';
import { type ConsumerName, openConsumerLag } from '../consumers.ts';
import { type DiskBytes, diskBytes, openAdmin, type Settled, serverPid, settle } from '../database.ts';
import { isIntact, type LedgerReport } from '../ledger/check.ts';
import { type AlertReport, areAlertsRight, compareAlerts } from '../ledger/compare-alerts.ts';
import { acknowledgedPayloads } from '../ledger/ledger.ts';
import { recountRollups, recountRows } from '../ledger/recount.ts';
import { type CompanyReport, recountCompany } from '../ledger/recount-company.ts';
import { type PartsReport, recountParts } from '../ledger/recount-parts.ts';
import type { GeneratorOrder, GeneratorResult } from '../load/messages.ts';
import { samplesOfPayload } from '../load/plan.ts';
import { startGenerator } from '../load/start-generator.ts';
import { folderBytes } from '../measure/folder-bytes.ts';
import { type MemoryReport, watchMemory } from '../measure/memory.ts';
import { ownCpu, processorTime } from '../measure/processor.ts';
import { createRules } from '../rules.ts';
import type { Yardstick } from '../yardstick/messages.ts';
import { meanOf, measureYardstick } from '../yardstick/yardstick.ts';

/** CPU-seconds of all processes of the product, including processes that have ended. */
export interface ProductCpu {
  /** CPU-seconds of the warm-up's first contact with the product; null in a run without a warm-up. */
  firstContact: number | null;
  /** CPU-seconds from the first measured request to the last answer. */
  window: number;
  /** CPU-seconds from the first measured request until the product had finished all its work and was idle. */
  settled: number;
  /** Processor time by kind of process, the highest first. */
  byProcess: [name: string, seconds: number][];
}

/** CPU-seconds of other processes during the load; if they are many, the figures are unreliable. */
export interface Bystanders {
  busy: number;
  stolen: number;
}

export interface LoadResult {
  order: GeneratorOrder;
  generator: GeneratorResult;
  /** The number of samples of the measured phase. */
  samples: number;
  /** The number of payloads stored in the whole run, including the warm-up. */
  payloadsStored: number;
  samplesStored: number;
  cpu: ProductCpu;
  bystanders: Bystanders;
  settled: Settled;
  /**
   * Seconds after the last response until each consumer had applied everything; null if responses wait for the consumers.
   */
  caughtUp: Record<ConsumerName, number> | null;
  /** The bytes of tables and indexes by what they store, and of the whole data directory with the write-ahead log. */
  bytes: DiskBytes & { directory: number };
  memory: MemoryReport;
  report: LedgerReport;
  /** The first few differences found by the recount through the API. */
  rollupDifferences: string[];
  alerts: AlertReport;
  company: CompanyReport | null;
  parts: PartsReport | null;
  /** The yardstick before and after the load, because the speed of a machine changes; `yardstick` is the mean of both. */
  yardsticks: [before: Yardstick, after: Yardstick];
  yardstick: Yardstick;
}

/** How long consumers may take after a run to process the remaining records, ms. */
const CATCH_UP_WITHIN_MS = 300_000;

/** What the load generator sends and how; its address and key are those of the Tidewatch that is measured. */
export type Load = Omit<GeneratorOrder, 'url' | 'key' | 'ingestUrls'> & {
  /** The number of rules that evaluate every host; 100 by default. */
  rules?: number;
};

/** Sends a plan to a running product while `during` runs, and measures until the product is idle. */
export async function runLoad(
  product: Product,
  load: Load,
  during?: (api: Api, ended: AbortSignal) => Promise<void>,
): Promise<LoadResult> {
  const api = createApi(product.url, product.key);
  const rules = await createRules(api, load.rules);
  const roots = await rootsOf(product);
  const used = () => roots.reduce((sum, root) => sum + cpuSeconds(root), 0);
  const gateways = readStackFile(product.dataDir)?.gateway_urls;
  const order: GeneratorOrder = {
    ...load,
    url: product.url,
    key: product.key,
    // Sends directly to the gateways, because the proxy of the stack is only meant for development.
    ...(gateways && { ingestUrls: gateways }),
  };
  const { plan, warmUpTicks } = order;
  const before = await measureYardstick({ plan, dataDir: product.dataDir });
  const memory = watchMemory(product.pid);
  const usedByName = () => new Map(roots.flatMap((root) => [...cpuByName(root)]));
  let from = used();
  let fromByName = usedByName();
  let cpuOfOthers = outsiders(used);
  let firstContact: number | null = null;
  const generating = startGenerator(order);
  if (warmUpTicks > 0) {
    await Promise.race([generating.firstContact, generating.result]);
    firstContact = used() - from;
    await Promise.race([generating.measuring, generating.result]);
    from = used();
    fromByName = usedByName();
    cpuOfOthers = outsiders(used);
  }
  const ended = new AbortController();
  const looking = during?.(api, ended.signal);
  const generator = await generating.result.finally(() => ended.abort());
  const window = used() - from;
  const endedAt = Date.now();
  await looking;
  const others = cpuOfOthers(generator.measuredCpuSeconds);
  const admin = openAdmin(product.dataDir);
  const lag = await openConsumerLag(product.dataDir, admin.sql);
  try {
    const caughtUp = (await lag?.caughtUp(CATCH_UP_WITHIN_MS)) ?? null;
    const settled = await settle(product.dataDir, endedAt, () => ({
      total: used(),
      byName: usedByName(),
    }));
    const { byName } = settled.used;
    if (settled.sealing !== null) byName.set('sealing by the benchmark', settled.sealing.cpuSeconds);
    const byProcess = differences(fromByName, byName);
    const cpu = { firstContact, window, settled: settled.used.total - from, byProcess };
    memory.stop();
    const bytes = { ...(await diskBytes(admin.sql)), directory: folderBytes(product.dataDir) };
    const { ledger } = generator;
    if (ledger.sent.some((sent, index) => sent !== ledger.acknowledged[index]))
      throw new Error('the outcome of a request stayed unknown, so that nothing can be compared');
    const payloadsStored = acknowledgedPayloads(ledger);
    const after = await measureYardstick({ plan, dataDir: product.dataDir });
    return {
      order,
      generator,
      samples: generator.measured.payloads * samplesOfPayload(plan),
      payloadsStored,
      samplesStored: payloadsStored * samplesOfPayload(plan),
      cpu,
      bystanders: others,
      settled,
      caughtUp,
      bytes,
      memory: memory.report(),
      report: await recountRows(admin.sql, plan, ledger),
      rollupDifferences: await recountRollups(api, plan, ledger),
      alerts: await compareAlerts(admin.sql, plan, ledger, rules),
      company: plan.rich ? await recountCompany(admin.sql, plan, ledger) : null,
      parts: plan.parts > 0 ? await recountParts(admin.sql, plan, ledger) : null,
      yardsticks: [before, after],
      yardstick: meanOf(before, after),
    };
  } finally {
    memory.stop();
    await lag?.close();
    await admin.close();
  }
}

/** The process trees of the product: a database that ran before is a tree of its own. */
async function rootsOf(product: Product): Promise<number[]> {
  const server = await serverPid(product.dataDir);
  const ours = descendants(product.pid()).some(({ pid }) => pid === server);
  return ours ? [product.pid()] : [product.pid(), server];
}

function differences(
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
): [name: string, seconds: number][] {
  return [...after]
    .map(([name, seconds]): [string, number] => [name, seconds - (before.get(name) ?? 0)])
    .toSorted((a, b) => b[1] - a[1]);
}

function outsiders(used: () => number): (generatorSeconds: number) => Bystanders {
  const began = processorTime();
  const known = used() + ownCpu();
  return (generatorSeconds) => {
    const now = processorTime();
    const ours = used() + ownCpu() - known + generatorSeconds;
    return { busy: Math.max(0, now.busy - began.busy - ours), stolen: now.stolen - began.stolen };
  };
}

/** Whether every recount agrees with the ledger; otherwise the figures of the run are void. */
export function isValid(result: LoadResult): boolean {
  return (
    isIntact(result.report) &&
    result.rollupDifferences.length === 0 &&
    areAlertsRight(result.alerts) &&
    (result.company?.differences.length ?? 0) === 0 &&
    (result.parts?.differences.length ?? 0) === 0
  );
}
