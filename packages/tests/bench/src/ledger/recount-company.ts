import { isDeepStrictEqual } from 'node:util';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import type { SnapshotMember } from '@tidewatch/domain/snapshots/host-snapshot';
import { storedSnapshots } from '@tidewatch/store/snapshots/stored-snapshots';
import { CONTAINERS, companyOf, containerName, containerValues } from '../load/company.ts';
import { type Plan, tickAt } from '../load/plan.ts';
import { acknowledgedTicks } from './check.ts';
import type { Ledger } from './ledger.ts';
import { daysOf, inSnapshot, readStoredRows } from './stored-rows.ts';

/** The recount of the containers and processes of a rich load; only for a ledger without open requests. */
export interface CompanyReport {
  containerRows: number;
  snapshots: number;
  /** The first few differences, in words. */
  differences: string[];
}

const EXAMPLES = 10;
/** About how many lists one transaction reads. */
const MAX_LISTS = 10_000;

/** Compares every row of a container and every list of a snapshot with what was sent, in whichever layout they are kept. */
export async function recountCompany(sql: Sql, plan: Plan, ledger: Ledger): Promise<CompanyReport> {
  const differences: string[] = [];
  function differ(text: string): void {
    if (differences.length < EXAMPLES) differences.push(text);
  }
  const payloads = Array.from({ length: plan.hosts }, (_, host) => acknowledgedTicks(plan, ledger, host));
  const sent = payloads.reduce((sum, ticks) => sum + ticks, 0);

  /**
   * Returns a check for rows of one kind: it returns the tick of a row, or undefined if the row was never sent or is stored
   * twice, which it reports.
   */
  function once() {
    const seen = new Set<string>();
    return (what: string, host: number, time: number): number | undefined => {
      const tick = tickAt(plan, host, time);
      const key = `${what} ${host} ${time}`;
      const known = tick !== undefined && tick < (payloads[host] ?? 0);
      if (!known || seen.has(key)) return void differ(`${known ? 'doubled' : 'unexpected'}: ${key}`);
      seen.add(key);
      return tick;
    };
  }

  const containers = new Map(Array.from({ length: CONTAINERS }, (_, index) => [containerName(index), index]));
  const blocks = await readContainerBlocks(sql);
  let containerRows = 0;
  const checkContainer = once();
  for await (const { block, time, values } of readStoredRows(sql, plan, [...blocks.keys()])) {
    containerRows += 1;
    const { host, name, metrics } = blocks.get(block) as ContainerBlock;
    const index = containers.get(name);
    const tick = checkContainer(name, host, time);
    if (tick === undefined || index === undefined) continue;
    const stored = Object.fromEntries(metrics.map((metric, slot) => [metric, values[slot]]));
    if (!isDeepStrictEqual(stored, { ...containerValues(host, tick, index) }))
      differ(`altered: container ${name} of host ${host} tick ${tick}`);
  }
  if (containerRows !== sent * CONTAINERS) differ(`${containerRows} rows of containers for ${sent} payloads`);

  let snapshots = 0;
  for (const [member, name] of MEMBERS) {
    let lists = 0;
    const checkList = once();
    for await (const { host, time, list } of readLists(sql, plan, member)) {
      lists += 1;
      const tick = checkList('snapshot', host, time);
      if (tick === undefined) continue;
      const wanted = JSON.parse(`{${companyOf(host, tick)}}`) as Record<string, unknown>;
      if (!isDeepStrictEqual(list, wanted[name])) differ(`altered: snapshot of host ${host} tick ${tick}`);
    }
    if (lists !== sent) differ(`${lists} snapshots for ${sent} payloads, of ${member}`);
    snapshots = Math.max(snapshots, lists);
  }
  return { containerRows, snapshots, differences };
}

/** The lists of a snapshot, and their names in a payload. */
const MEMBERS = [
  ['containers', 'docker_containers'],
  ['processes', 'processes'],
] as const;

interface ContainerBlock {
  host: number;
  /** The name of the container. */
  name: string;
  /** The metric of each slot. */
  metrics: string[];
}

async function readContainerBlocks(sql: Sql): Promise<Map<number, ContainerBlock>> {
  const rows = await sql<{ id: number; host: string; name: string; metrics: string[] }[]>`
    select b.id, v.host, b.subject_name as name, b.metrics
    from blocks b join services v on v.organization_id = b.organization_id and v.id = b.service_id
    where b.subject_kind = 'container' and v.host like 'bench-%'`;
  return new Map(rows.map(({ id, host, name, metrics }) => [id, { host: hostOf(host), name, metrics }]));
}

/** Reads the stored lists of every host of the plan, whatever the layout of the database. */
async function* readLists(sql: Sql, plan: Plan, member: SnapshotMember) {
  const services = await sql<{ organizationId: string; serviceId: string; host: string }[]>`
    select organization_id as "organizationId", id as "serviceId", host from services where host like 'bench-%'`;
  const ticksOfDay = Math.max(1, Math.min(plan.ticks, DAY_MS / plan.stepMs));
  const portion = Math.ceil(MAX_LISTS / ticksOfDay);
  for (const range of daysOf(plan))
    for (let start = 0; start < services.length; start += portion) {
      const some = services.slice(start, start + portion);
      const spans = some.map(({ organizationId, serviceId }) => ({ organizationId, serviceId, ...range }));
      const found = await inSnapshot(sql, (tx) => storedSnapshots.lists(tx, spans, member));
      for (const [index, lists] of found.entries())
        for (const { time, list } of lists) yield { host: hostOf(some[index]?.host ?? ''), time, list };
    }
}

function hostOf(name: string): number {
  return Number(name.slice('bench-'.length));
}
