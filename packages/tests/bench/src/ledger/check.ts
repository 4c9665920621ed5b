import { type Plan, positionOf, tickAt } from '../load/plan.ts';
import { createWalk, type Walk } from '../load/walk.ts';
import type { Ledger } from './ledger.ts';

/** A stored row: one block of sixteen slots of one host at one time, in the order of block and time. */
export interface StoredRow {
  block: number;
  /** Milliseconds since the epoch. */
  time: number;
  /** Sixteen values, null where the slot is empty. */
  values: readonly (number | null)[];
}

/** What a block's slots mean: index of the host in the plan, and of the metric by slot. */
export interface BlockMeaning {
  host: number;
  metrics: ReadonlyMap<number, number>;
}

export interface LedgerReport {
  /** Rows that must be there, and rows that were. */
  rowsExpected: number;
  rowsFound: number;
  /** Acknowledged and not there. */
  missing: number;
  /** There and never sent. */
  unexpected: number;
  /** There twice. */
  doubled: number;
  /** There with another value than was sent. */
  altered: number;
  /** The first few faults in words. */
  examples: string[];
}

export function isIntact(report: LedgerReport): boolean {
  return report.missing + report.unexpected + report.doubled + report.altered === 0;
}

/**
 * Compares every stored row with what the plan says was sent: each acknowledged sample is there exactly once with
 * its value, a sample whose request got no answer at most once, and nothing else.
 */
export function createLedgerCheck(plan: Plan, ledger: Ledger, blocks: ReadonlyMap<number, BlockMeaning>) {
  const report: LedgerReport = {
    rowsExpected: 0,
    rowsFound: 0,
    missing: 0,
    unexpected: 0,
    doubled: 0,
    altered: 0,
    examples: [],
  };
  const seen = new Set<number>();
  let block = -1;
  let meaning: BlockMeaning | undefined;
  let walk: Walk | undefined;
  let tick = -1;

  function fault(kind: 'missing' | 'unexpected' | 'doubled' | 'altered', text: string): undefined {
    report[kind] += 1;
    if (report.examples.length < 10) report.examples.push(`${kind}: ${text}`);
  }

  function mustExist(host: number, at: number): boolean {
    return positionOf(plan, host, at) < (ledger.acknowledged[host % plan.connections] as number);
  }
  function mayExist(host: number, at: number): boolean {
    return at < plan.ticks && positionOf(plan, host, at) < (ledger.sent[host % plan.connections] as number);
  }

  /** Every tick of the open block before `until` was passed over. */
  function passOver(until: number): void {
    if (meaning === undefined) return;
    for (tick += 1; tick < until && mustExist(meaning.host, tick); tick += 1) {
      walk?.next();
      fault('missing', `host ${meaning.host} tick ${tick} block ${block}`);
    }
    for (; tick < until; tick += 1) walk?.next();
  }

  function finishBlock(): void {
    if (meaning !== undefined) passOver(plan.ticks);
  }

  return {
    /** Rows must come in the order of block and time. */
    add(row: StoredRow): undefined {
      report.rowsFound += 1;
      if (row.block !== block) {
        finishBlock();
        block = row.block;
        seen.add(block);
        meaning = blocks.get(block);
        walk = meaning && createWalk(plan, meaning.host);
        tick = -1;
      }
      if (meaning === undefined) return fault('unexpected', `row of unknown block ${row.block}`);
      const at = tickAt(plan, meaning.host, row.time);
      if (at !== undefined && at === tick) return fault('doubled', `host ${meaning.host} tick ${at}`);
      if (at === undefined || at < tick || !mayExist(meaning.host, at)) {
        return fault('unexpected', `host ${meaning.host} time ${new Date(row.time).toISOString()}`);
      }
      passOver(at);
      walk?.next();
      for (const [slot, metric] of meaning.metrics) {
        const wanted = (walk?.values[metric] as number) / 100;
        if (row.values[slot] !== wanted) {
          return fault(
            'altered',
            `host ${meaning.host} tick ${at} metric ${metric}: ${row.values[slot]} in place of ${wanted}`,
          );
        }
      }
      for (const [slot, value] of row.values.entries()) {
        if (value !== null && !meaning.metrics.has(slot)) {
          return fault('altered', `host ${meaning.host} tick ${at}: ${value} in slot ${slot}, never sent`);
        }
      }
      return undefined;
    },
    finish(): LedgerReport {
      finishBlock();
      const covered = new Map<number, Set<number>>();
      for (const [id, { host, metrics }] of blocks) {
        const known = covered.get(host) ?? new Set();
        covered.set(host, known);
        const acknowledged = acknowledgedTicks(plan, ledger, host);
        report.rowsExpected += acknowledged;
        if (!seen.has(id) && acknowledged > 0) fault('missing', `all rows of block ${id}`);
        for (const metric of metrics.values()) known.add(metric);
      }
      for (let host = 0; host < plan.hosts; host += 1) {
        const lacking = plan.metrics - (covered.get(host)?.size ?? 0);
        if (lacking > 0 && acknowledgedTicks(plan, ledger, host) > 0)
          fault('missing', `${lacking} metrics of host ${host}`);
      }
      return report;
    },
  };
}

/** How many ticks of a host were acknowledged. */
export function acknowledgedTicks(plan: Plan, ledger: Ledger, host: number): number {
  const connection = host % plan.connections;
  const hosts = Math.ceil((plan.hosts - connection) / plan.connections);
  const acknowledged = ledger.acknowledged[connection] as number;
  const rank = Math.floor(host / plan.connections);
  return Math.floor(acknowledged / hosts) + (acknowledged % hosts > rank ? 1 : 0);
}
