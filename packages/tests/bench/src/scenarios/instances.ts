import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql } from '@tidewatch/database/connection';
import type { Product } from '@tidewatch/harness/product';
import { readStackFile } from '@tidewatch/stack/stack-file';
import { type Api, createApi, createRule, ingestAll, untilTrue } from '../api.ts';
import { openAdmin, withAdmin } from '../database.ts';
import { type HeapUse, INSPECTED, readHeap } from '../measure/heap.ts';
import { productPid } from '../measure/product-process.ts';
import { figureTable, number } from '../report/table.ts';
import type { Scenario } from '../scenario.ts';

type InstancesResult = Awaited<ReturnType<typeof runInstances>>;

const METRICS = 10;
const RULES = 100;
const THRESHOLD = 90;
/** A rule that each host breaches once after the restart; its alerts show that every host was evaluated. */
const SIGN = 'instances_sign';
/** The duration of the rules whose alerts must stay pending, minutes: longer than a run. */
const PENDING_MINUTES = 1_440;
const STEP_MS = 5_000;
const WITHIN_MS = 180_000;

export const instances: Scenario = {
  measures: `100,000 alert instances that fire or are pending: the memory of one, and how long a process that was killed
takes until it evaluates again`,
  options: ['instances'],
  topologies: ['embedded', 'distributed'],
  settings: INSPECTED,
  restarts: true,
  async run(product, options, print) {
    const figures = await runInstances(product, options.instances);
    print(instancesTable(figures));
    return { valid: areInstancesRight(figures), figures };
  },
};

/** Makes `instances` alert instances breach, kills the evaluating process, and waits until it evaluates again. */
async function runInstances(product: Product, instances: number) {
  const api = createApi(product.url, product.key);
  const admin = openAdmin(product.dataDir);
  const hosts = instances / RULES;
  try {
    await createRules(api);
    let time = Date.now() - 10 * STEP_MS;
    const send = (value: (metric: number) => number, sign = 0) => sendAll(api, hosts, time, value, sign);
    for (let tick = 0; tick < 3; tick += 1, time += STEP_MS) await send((metric) => 10.25 + metric);
    await evaluated(admin.sql, hosts, time - STEP_MS);
    const quiet = await heapOf(product);
    const began = performance.now();
    for (let tick = 0; tick < 3; tick += 1, time += STEP_MS)
      await send((metric) => 95.125 + metric / 8 + tick);
    await stored(admin.sql, instances, time - STEP_MS);
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
      const evaluatedSeconds = since(killed);
      await stored(again.sql, instances, time);
      const restored = await heapOf(product);
      const after = await fingerprints(again.sql);
      const changed = [...before].filter(([key, print]) => after.get(key) !== print).length;
      time += STEP_MS;
      // Values that differ from the earlier ones, because unchanged values would not be stored again.
      await send((metric) => 96.125 + metric / 8, 0);
      await signsAre(again.sql, 0);
      await stored(again.sql, instances, time);
      await again.close();
      time += STEP_MS;
      const restarted = await restartGently(product, hosts, () => send((metric) => 95.125 + metric / 8, 1));
      const perInstance = (use: HeapUse) => (use.used + use.backing - quiet.used - quiet.backing) / instances;
      return {
        instances,
        hosts,
        ...counts,
        // Memory of the evaluating process, of objects and typed arrays, beyond what it had before the breach.
        bytesAnInstance: perInstance(active),
        beganSeconds,
        // From the kill, and in `restarted` from a SIGTERM as in an upgrade.
        readySeconds,
        evaluatedSeconds,
        restarted,
        restoredBytesAnInstance: perInstance(restored),
        changed,
      };
    } finally {
      await again.close();
    }
  } finally {
    await admin.close();
  }
}

async function createRules(api: Api): Promise<void> {
  for (let index = 0; index < RULES; index += 1) {
    const duration = index % 2 === 0 ? 0 : PENDING_MINUTES;
    const more = { name: `instances ${index}`, duration_minutes: duration, severity: 'info' };
    await createRule(api, metricOf(Math.floor(index / 2) % METRICS), THRESHOLD, more);
  }
  await createRule(api, SIGN, 0, { severity: 'info' });
}

function metricOf(index: number): string {
  return `instances_metric_${index}`;
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
    host: `instances-${host}`,
    timestamp,
    metrics,
  }));
  await ingestAll(api, payloads);
}

/** Waits until every host has a live row of this time; the evaluator reads the same records as the writer. */
async function evaluated(sql: Sql, hosts: number, time: number): Promise<void> {
  const at = new Date(time).toISOString();
  const isDone = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from service_live where last_sample_at >= ${at}::timestamptz`;
    const [behind] = await sql<{ count: number }[]>`
      select count(*)::int as count from consumer_offsets w join consumer_offsets e using (topic, partition)
      where w.consumer = 'writer' and e.consumer = 'evaluator' and w.next_offset > e.next_offset`;
    return row?.count === hosts && behind?.count === 0;
  };
  await untilTrue(isDone, WITHIN_MS, 100, 'the values before the breach were not taken');
}

/** Waits until all instances are stored with the state of the sample at this time, and all events were published. */
async function stored(sql: Sql, instances: number, time: number): Promise<void> {
  const at = new Date(time).toISOString();
  const isDone = async () => {
    const [row] = await sql<{ states: number; events: number }[]>`
      select (select count(*) from rule_states
          where stream <> ${SIGN} and evaluated_at >= ${at}::timestamptz)::int as states,
        (select count(*) from outbox where sequence is null)::int as events`;
    return row?.states === instances && row.events === 0;
  };
  await untilTrue(
    isDone,
    WITHIN_MS,
    100,
    'alert instances not stored as evaluated last, or events not published',
  );
}

/** Restarts the evaluating process by SIGTERM, as in an upgrade. */
async function restartGently(product: Product, hosts: number, sign: () => Promise<void>) {
  const asked = performance.now();
  await restart(product, 'SIGTERM');
  const readySeconds = since(asked);
  await withAdmin(product.dataDir, async (sql) => {
    await sign();
    await signsAre(sql, hosts);
  });
  return { readySeconds, evaluatedSeconds: since(asked) };
}

/** Waits until this number of hosts was evaluated after the restart. */
async function signsAre(sql: Sql, hosts: number): Promise<void> {
  const isDone = async () => (await countSigns(sql)) === hosts;
  await untilTrue(isDone, WITHIN_MS, 20, 'not every host was evaluated after the restart');
}

/**
 * Reads the number of firing alerts of the rule from its stored count; counting the alerts repeatedly would use processor
 * time that the product needs.
 */
async function countSigns(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select a.firing_count::int as count from alert_rules r join rule_activity a on a.organization_id = r.organization_id and a.rule_id = r.id
    where r.name = ${SIGN}`;
  return row?.count ?? 0;
}

/** Reads the state that a restart must not change, by rule and host. */
async function fingerprints(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql<{ key: string; print: string }[]>`
    select s.rule_id || s.service_id as key,
      concat_ws(' ', s.state, s.pending_since, s.alert_id, a.status, a.fired_at, a.value_at_fire) as print
    from rule_states s left join alerts a on a.organization_id = s.organization_id and a.id = s.alert_id where s.stream <> ${SIGN}`;
  return new Map(rows.map(({ key, print }) => [key, print]));
}

/** The pid of the single process, or of the evaluator; undefined while neither runs. */
function evaluatorPid(product: Product): number | undefined {
  const stack = readStackFile(product.dataDir);
  if (stack !== null) return stack.processes.find(({ role }) => role === 'evaluator')?.pid;
  return productPid(product);
}

function heapOf(product: Product): Promise<HeapUse> {
  const pid = evaluatorPid(product);
  if (pid === undefined) throw new Error('no process evaluates');
  return readHeap(pid, () => logOf(product));
}

/** The log of the evaluating process: the output of a single process, or the log files of the evaluator. */
function logOf(product: Product): string {
  if (readStackFile(product.dataDir) === null) return product.log();
  const folder = join(product.dataDir, 'logs');
  const files = readdirSync(folder).filter((name) => name.startsWith('evaluator'));
  return files.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
}

/** Ends the single process, or the evaluator alone, which the stack restarts. */
async function restart(product: Product, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (readStackFile(product.dataDir) === null) {
    await (signal === 'SIGKILL' ? product.kill() : product.stop());
    await product.start();
    return;
  }
  const former = evaluatorPid(product);
  if (former === undefined) throw new Error('no evaluator runs');
  process.kill(former, signal);
  const isBack = async () => ![undefined, former].includes(evaluatorPid(product));
  await untilTrue(isBack, WITHIN_MS, 20, 'the stack did not start its evaluator again');
}

function since(began: number): number {
  return (performance.now() - began) / 1_000;
}

function instancesTable(result: InstancesResult): string {
  const { instances, hosts, firing, pending, changed } = result;
  return figureTable(
    [
      ['hosts, alert instances', `${number(hosts)}, ${number(instances)}`],
      ['firing, pending', `${number(firing)}, ${number(pending)}`],
      ['bytes an alert instance', number(result.bytesAnInstance)],
      ['until all were stored', `${number(result.beganSeconds, 1)} s`],
      ['from the kill until ready', `${number(result.readySeconds, 1)} s`],
      ['from the kill until every host was evaluated', `${number(result.evaluatedSeconds, 1)} s`],
      ['from a SIGTERM until ready again', `${number(result.restarted.readySeconds, 1)} s`],
      ['from a SIGTERM until every host was evaluated', `${number(result.restarted.evaluatedSeconds, 1)} s`],
      ['bytes an alert instance once restored', number(result.restoredBytesAnInstance)],
      ['not as before the kill', number(changed)],
    ],
    ['alert instances', 'figure'],
  );
}

/** Returns true if all alert instances began and none was changed by the restart. */
function areInstancesRight({ instances, firing, pending, changed }: InstancesResult): boolean {
  return firing + pending === instances && firing === pending && changed === 0;
}
