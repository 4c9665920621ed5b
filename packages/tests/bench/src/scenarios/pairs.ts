import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { descendants, describeProcess } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { readStackFile } from '@tidewatch/stack/stack-file';
import type { Sql } from '@tidewatch/store/database/connection';
import { type Api, createApi, createRule, ingestAll, until } from '../api.ts';
import { openAdmin } from '../database.ts';
import { type HeapUse, INSPECTED, readHeap } from '../measure/heap.ts';
import { figureTable, number } from '../report/table.ts';
import type { Scenario } from '../scenario.ts';

/** Half of the pairs fire, the others are pending. Memory in bytes a pair, of objects and of typed arrays. */
interface PairsResult {
  pairs: number;
  hosts: number;
  firing: number;
  pending: number;
  /** What the process that judges keeps more than before the breach, when none of the pairs was active. */
  bytesAPair: number;
  /** Seconds until everything that began was stored. */
  beganSeconds: number;
  /** Seconds from the kill until the product was ready, and until it had judged a sample of every host. */
  readySeconds: number;
  judgedSeconds: number;
  /** The same from a SIGTERM on, as at an upgrade. */
  restarted: { readySeconds: number; judgedSeconds: number };
  /** The same memory once they were restored. */
  restoredBytesAPair: number;
  /** Pairs and alerts that are not what they were before the kill. */
  changed: number;
}

const METRICS = 10;
const RULES = 100;
const THRESHOLD = 90;
/** Breached once after the restart, so that it tells when every host was judged. */
const SIGN = 'pairs_sign';
/** Longer than a run takes, so that these stay pending. */
const PENDING_MINUTES = 1_440;
const STEP_MS = 5_000;
const WITHIN_MS = 180_000;

export const pairs: Scenario = {
  measures: `100,000 pairs of rule and host that fire or are pending: the memory of one, and how long a process that was killed
takes until it judges again`,
  options: ['pairs'],
  topologies: ['embedded', 'distributed'],
  settings: INSPECTED,
  restarts: true,
  async run(product, options, print) {
    const figures = await runPairs(product, options.pairs);
    print(pairsTable(figures));
    return { valid: arePairsRight(figures), figures };
  },
};

/** Lets so many pairs of rule and host breach, ends the process that judges them by SIGKILL and waits until it judges again. */
async function runPairs(product: Product, pairs: number): Promise<PairsResult> {
  const api = createApi(product.url, product.key);
  const admin = openAdmin(product.dataDir);
  const hosts = pairs / RULES;
  try {
    await createPairRules(api);
    let time = Date.now() - 10 * STEP_MS;
    const send = (value: (metric: number) => number, sign = 0) => sendAll(api, hosts, time, value, sign);
    for (let tick = 0; tick < 3; tick += 1, time += STEP_MS) await send((metric) => 10.25 + metric);
    await judged(admin.sql, hosts * (METRICS + 1), time - STEP_MS);
    const quiet = await heapOf(product);
    const began = performance.now();
    for (let tick = 0; tick < 3; tick += 1, time += STEP_MS)
      await send((metric) => 95.125 + metric / 8 + tick);
    await stored(admin.sql, pairs, time - STEP_MS);
    const beganSeconds = since(began);
    const active = await heapOf(product);
    const before = await fingerprints(admin.sql);
    const [counts] = await admin.sql<{ firing: number; pending: number }[]>`
      select count(*) filter (where state = 'firing')::int as firing,
        count(*) filter (where state = 'pending')::int as pending from rule_states`;
    if (counts === undefined) throw new Error('no states were counted');
    await admin.close();
    const killed = performance.now();
    await restart(product, 'SIGKILL');
    const readySeconds = since(killed);
    const again = openAdmin(product.dataDir);
    try {
      await send((metric) => 95.125 + metric / 8, 1);
      await signsAre(again.sql, hosts);
      const judgedSeconds = since(killed);
      await stored(again.sql, pairs, time);
      const restored = await heapOf(product);
      const after = await fingerprints(again.sql);
      const changed = [...before].filter(([key, print]) => after.get(key) !== print).length;
      time += STEP_MS;
      // Other values than before, or nothing would be stored of them.
      await send((metric) => 96.125 + metric / 8, 0);
      await signsAre(again.sql, 0);
      await stored(again.sql, pairs, time);
      await again.close();
      time += STEP_MS;
      const restarted = await restartGently(product, hosts, () => send((metric) => 95.125 + metric / 8, 1));
      const perPair = (use: HeapUse) => (use.used + use.backing - quiet.used - quiet.backing) / pairs;
      return {
        ...{ pairs, hosts, ...counts, bytesAPair: perPair(active), beganSeconds },
        ...{ readySeconds, judgedSeconds, restarted, restoredBytesAPair: perPair(restored), changed },
      };
    } finally {
      await again.close();
    }
  } finally {
    await admin.close();
  }
}

async function createPairRules(api: Api): Promise<void> {
  for (let index = 0; index < RULES; index += 1) {
    const duration = index % 2 === 0 ? 0 : PENDING_MINUTES;
    const more = { name: `pairs ${index}`, duration_minutes: duration, severity: 'info' };
    await createRule(api, metricOf(Math.floor(index / 2) % METRICS), THRESHOLD, more);
  }
  await createRule(api, SIGN, 0, { severity: 'info' });
}

function metricOf(index: number): string {
  return `pairs_metric_${index}`;
}

async function sendAll(
  api: Api,
  hosts: number,
  time: number,
  valueAt: (metric: number) => number,
  sign: number,
): Promise<void> {
  const values = Array.from({ length: METRICS }, (_, metric) => [metricOf(metric), valueAt(metric)] as const);
  const metrics = { ...Object.fromEntries(values), [SIGN]: sign };
  const timestamp = new Date(time).toISOString();
  const payloads = Array.from({ length: hosts }, (_, host) => ({
    ...{ host: `pairs-${host}`, timestamp, metrics },
  }));
  await ingestAll(api, payloads);
}

/** Waits until every series has a latest value of this time or later; the evaluator reads the same records. */
async function judged(sql: Sql, series: number, time: number): Promise<void> {
  const at = new Date(time).toISOString();
  const done = await until(
    async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from block_latest l cross join lateral unnest(l.times) t where t >= ${at}::timestamptz`;
      const [behind] = await sql<{ count: number }[]>`
        select count(*)::int as count from consumer_offsets w join consumer_offsets e using (topic, partition)
        where w.consumer = 'writer' and e.consumer = 'evaluator' and w.next_offset > e.next_offset`;
      return row?.count === series && behind?.count === 0 ? true : undefined;
    },
    WITHIN_MS,
    100,
  );
  if (done === undefined) throw new Error('the values before the breach were not taken');
}

/** Waits until all pairs are stored as the sample of this time left them, and all their events were passed on. */
async function stored(sql: Sql, pairs: number, time: number): Promise<void> {
  const at = new Date(time).toISOString();
  const done = await until(
    async () => {
      const [row] = await sql<{ states: number; events: number }[]>`
        select (select count(*) from rule_states
            where stream <> ${SIGN} and judged_at >= ${at}::timestamptz)::int as states,
          (select count(*) from outbox where sequence is null)::int as events`;
      return row?.states === pairs && row.events === 0 ? true : undefined;
    },
    WITHIN_MS,
    100,
  );
  if (done === undefined) throw new Error('not every pair was stored as it was judged last');
}

/** As somebody restarts it who upgrades it. */
async function restartGently(product: Product, hosts: number, sign: () => Promise<void>) {
  const told = performance.now();
  await restart(product, 'SIGTERM');
  const readySeconds = since(told);
  const admin = openAdmin(product.dataDir);
  try {
    await sign();
    await signsAre(admin.sql, hosts);
    return { readySeconds, judgedSeconds: since(told) };
  } finally {
    await admin.close();
  }
}

/** Waits until on so many hosts the sign was judged to breach. */
async function signsAre(sql: Sql, hosts: number): Promise<void> {
  const done = await until(async () => ((await countSigns(sql)) === hosts ? true : undefined), WITHIN_MS, 20);
  if (done === undefined) throw new Error('not every host was judged after the restart');
}

/** By the rule's own count, one row: counting alerts, over and over, would take a processor from the product. */
async function countSigns(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select a.firing_count::int as count from alert_rules r join rule_activity a on a.org_id = r.org_id and a.rule_id = r.id
    where r.name = ${SIGN}`;
  return row?.count ?? 0;
}

/** What a restart must not change, by rule and host. */
async function fingerprints(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql<{ key: string; print: string }[]>`
    select s.rule_id || s.service_id as key,
      concat_ws(' ', s.state, s.pending_since, s.alert_id, a.status, a.fired_at, a.value_at_fire) as print
    from rule_states s left join alerts a on a.org_id = s.org_id and a.id = s.alert_id where s.stream <> ${SIGN}`;
  return new Map(rows.map(({ key, print }) => [key, print]));
}

/** The one process, or that of the evaluator; undefined while that is away. */
function judgePid(product: Product): number | undefined {
  const stack = readStackFile(product.dataDir);
  if (stack !== null) return stack.processes.find(({ role }) => role === 'evaluator')?.pid;
  // npm, its shell and the launcher come before the process that they started.
  const own = descendants(product.pid()).find(
    ({ pid }) =>
      describeProcess(readFileSync(`/proc/${pid}/cmdline`, 'utf8')) === 'node standalone/src/main.ts',
  );
  return own?.pid;
}

function heapOf(product: Product): Promise<HeapUse> {
  const pid = judgePid(product);
  if (pid === undefined) throw new Error('no process judges');
  return readHeap(pid, () => logOf(product));
}

/** What the process that judges says: beside the rest where it is the only one, else in files of its own. */
function logOf(product: Product): string {
  if (readStackFile(product.dataDir) === null) return product.log();
  const folder = join(product.dataDir, 'logs');
  const files = readdirSync(folder).filter((name) => name.startsWith('evaluator'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
}

/** Ends all of the one process, or the evaluator alone, which the stack starts again. */
async function restart(product: Product, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (readStackFile(product.dataDir) === null) {
    await (signal === 'SIGKILL' ? product.kill() : product.stop());
    await product.start();
    return;
  }
  const former = judgePid(product);
  if (former === undefined) throw new Error('no evaluator runs');
  process.kill(former, signal);
  const isBack = async () => ![undefined, former].includes(judgePid(product)) || undefined;
  if (!(await until(isBack, WITHIN_MS, 20))) throw new Error('the stack did not start its evaluator again');
}

function since(began: number): number {
  return (performance.now() - began) / 1_000;
}

function pairsTable(result: PairsResult): string {
  const { pairs, hosts, firing, pending, changed } = result;
  return figureTable(
    [
      ['hosts, pairs', `${number(hosts)}, ${number(pairs)}`],
      ['firing, pending', `${number(firing)}, ${number(pending)}`],
      ['bytes a pair', number(result.bytesAPair)],
      ['until all were stored', `${number(result.beganSeconds, 1)} s`],
      ['from the kill until ready', `${number(result.readySeconds, 1)} s`],
      ['from the kill until every host was judged', `${number(result.judgedSeconds, 1)} s`],
      ['from a SIGTERM until ready again', `${number(result.restarted.readySeconds, 1)} s`],
      ['from a SIGTERM until every host was judged', `${number(result.restarted.judgedSeconds, 1)} s`],
      ['bytes a pair once restored', number(result.restoredBytesAPair)],
      ['not as before the kill', number(changed)],
    ],
    ['pairs of rule and host', 'figure'],
  );
}

/** Whether all of them began, and none changed by the restart. */
function arePairsRight({ pairs, firing, pending, changed }: PairsResult): boolean {
  return firing + pending === pairs && firing === pending && changed === 0;
}
