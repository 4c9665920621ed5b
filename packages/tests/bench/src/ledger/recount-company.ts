import { isDeepStrictEqual } from 'node:util';
import type { Sql } from '@tidewatch/database/connection';
import { CONTAINERS, companyOf, containerName, containerValues } from '../load/company.ts';
import { type Plan, tickAt } from '../load/plan.ts';
import { acknowledgedTicks } from './check.ts';
import type { Ledger } from './ledger.ts';
import { streamRows } from './stream-rows.ts';

/** The recount of the containers and processes of a rich load; only for a ledger without open requests. */
export interface CompanyReport {
  containerRows: number;
  snapshots: number;
  /** The first few differences, in words. */
  differences: string[];
}

const EXAMPLES = 10;

/** Compares every row of a container and every snapshot with what was sent. */
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
  let containerRows = 0;
  let checkOnce = once();
  for await (const fields of streamRows(sql, CONTAINER_ROWS)) {
    const [host = '', name = '', time, slots = '', ...values] = fields;
    containerRows += 1;
    const index = containers.get(name);
    const at = hostOf(host);
    const tick = checkOnce(name, at, Math.round(Number(time)));
    if (tick === undefined || index === undefined) continue;
    const stored = Object.fromEntries(
      Object.entries(JSON.parse(slots) as Record<string, number>).map(([metric, slot]) => [
        metric,
        Number(values[slot]),
      ]),
    );
    if (!isDeepStrictEqual(stored, { ...containerValues(at, tick, index) }))
      differ(`altered: container ${name} of host ${host} tick ${tick}`);
  }
  if (containerRows !== sent * CONTAINERS) differ(`${containerRows} rows of containers for ${sent} payloads`);

  let snapshots = 0;
  checkOnce = once();
  for await (const [host = '', time, inContainers = '', inProcesses = ''] of streamRows(sql, SNAPSHOTS)) {
    snapshots += 1;
    const at = hostOf(host);
    const tick = checkOnce('snapshot', at, Math.round(Number(time)));
    if (tick === undefined) continue;
    const wanted = JSON.parse(`{${companyOf(at, tick)}}`) as Record<string, unknown>;
    const stored = { containers: JSON.parse(inContainers), processes: JSON.parse(inProcesses) };
    if (
      !isDeepStrictEqual(stored.containers, wanted.docker_containers) ||
      !isDeepStrictEqual(stored.processes, wanted.processes)
    )
      differ(`altered: snapshot of host ${host} tick ${tick}`);
  }
  if (snapshots !== sent) differ(`${snapshots} snapshots for ${sent} payloads`);
  return { containerRows, snapshots, differences };
}

function hostOf(name: string): number {
  return Number(name.slice('bench-'.length));
}

const CONTAINER_ROWS = `
  select v.host, b.subject_name, extract(epoch from s."time") * 1000,
    (select json_object_agg(m.metric, m.place - 1) from unnest(b.metrics) with ordinality as m (metric, place)),
    ${Array.from({ length: 16 }, (_, slot) => `s.v${slot}`).join(', ')}
  from (select * from samples union all select * from samples_backfill) s
  join blocks b on b.id = s.block_id join services v on v.organization_id = b.organization_id and v.id = b.service_id
  where b.subject_kind = 'container' and v.host like 'bench-%'`;

const SNAPSHOTS = `
  select v.host, extract(epoch from s."time") * 1000, s.containers, s.processes
  from snapshots s join services v on v.organization_id = s.organization_id and v.id = s.service_id where v.host like 'bench-%'`;
