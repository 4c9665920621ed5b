import { type Plan, positionOf, tickAt } from '../load/plan.ts';
import { createWalk, type Walk } from '../load/walk.ts';
import type { Ledger } from './ledger.ts';

/** A stored row: one block of sixteen slots of one host at one time. */
export interface StoredRow {
  block: number;
  /** The time of the sample, milliseconds since the epoch. */
  time: number;
  /** Sixteen values, null where the slot is empty. */
  values: readonly (number | null)[];
}

/** What a stored block contains: the index of its host in the plan of the load, and the index of the metric in each slot. */
export interface BlockMeaning {
  host: number;
  metrics: ReadonlyMap<number, number>;
}

export interface LedgerReport {
  /** The number of rows that must be stored, and of rows that are. */
  rowsExpected: number;
  rowsFound: number;
  /** Rows that were acknowledged and are not stored. */
  missing: number;
  /** Rows that are stored and were never sent. */
  unexpected: number;
  /** Rows that are stored twice. */
  doubled: number;
  /** Rows that are stored with another value than the one that was sent. */
  altered: number;
  /** The first few faults in words. */
  examples: string[];
}

export function isIntact(report: LedgerReport): boolean {
  return report.missing + report.unexpected + report.doubled + report.altered === 0;
}

/** How many ticks the rows of a block may arrive out of order; rows that are missing after that are reported. */
export const REORDERED_TICKS = 40_000;

/** A block of the plan, with the position up to which its rows were compared. */
interface OpenBlock {
  id: number;
  meaning: BlockMeaning;
  walk: Walk;
  /** The last tick that was compared or found missing; -1 before the first. */
  tick: number;
  /** Rows that arrived before one of an earlier tick, by tick. */
  ahead: Map<number, StoredRow['values']>;
}

/**
 * Compares every stored row with the plan: each acknowledged sample is stored exactly once with its value, a sample whose
 * request got no response at most once, and nothing else.
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
  const open = new Map<number, OpenBlock>();

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

  function openBlock(id: number, meaning: BlockMeaning): OpenBlock {
    const block = { id, meaning, walk: createWalk(plan, meaning.host), tick: -1, ahead: new Map() };
    open.set(id, block);
    return block;
  }

  /** Reports the rows of all ticks before `until` that must be stored and were not found. */
  function passOver(block: OpenBlock, until: number): void {
    const { host } = block.meaning;
    for (block.tick += 1; block.tick < until && mustExist(host, block.tick); block.tick += 1) {
      block.walk.next();
      fault('missing', `host ${host} tick ${block.tick} block ${block.id}`);
    }
    for (; block.tick < until; block.tick += 1) block.walk.next();
  }

  function compare(block: OpenBlock, at: number, values: StoredRow['values']): undefined {
    const { meaning, walk } = block;
    passOver(block, at);
    walk.next();
    for (const [slot, metric] of meaning.metrics) {
      const wanted = (walk.values[metric] as number) / 100;
      if (values[slot] !== wanted) {
        return fault(
          'altered',
          `host ${meaning.host} tick ${at} metric ${metric}: ${values[slot]} in place of ${wanted}`,
        );
      }
    }
    for (const [slot, value] of values.entries()) {
      if (value !== null && !meaning.metrics.has(slot))
        return fault('altered', `host ${meaning.host} tick ${at}: ${value} in slot ${slot}, never sent`);
    }
    return undefined;
  }

  /** Compares the rows that no longer wait for rows of earlier ticks. */
  function drain(block: OpenBlock): void {
    for (;;) {
      const values = block.ahead.get(block.tick + 1);
      if (values === undefined) return;
      block.ahead.delete(block.tick + 1);
      compare(block, block.tick + 1, values);
    }
  }

  function skipGap(block: OpenBlock): void {
    const at = Math.min(...block.ahead.keys());
    const values = block.ahead.get(at) as StoredRow['values'];
    block.ahead.delete(at);
    compare(block, at, values);
    drain(block);
  }

  return {
    /** Adds a row; rows of a block may be out of order by up to `REORDERED_TICKS`. */
    add(row: StoredRow): undefined {
      report.rowsFound += 1;
      const meaning = blocks.get(row.block);
      if (meaning === undefined) return fault('unexpected', `row of unknown block ${row.block}`);
      const { host } = meaning;
      const block = open.get(row.block) ?? openBlock(row.block, meaning);
      const at = tickAt(plan, host, row.time);
      if (at === undefined || !mayExist(host, at))
        return fault('unexpected', `host ${host} time ${new Date(row.time).toISOString()}`);
      if (at <= block.tick || block.ahead.has(at)) return fault('doubled', `host ${host} tick ${at}`);
      if (at === block.tick + 1) {
        compare(block, at, row.values);
        drain(block);
        return undefined;
      }
      block.ahead.set(at, row.values);
      if (block.ahead.size > REORDERED_TICKS) skipGap(block);
      return undefined;
    },
    finish(): LedgerReport {
      for (const block of open.values()) {
        while (block.ahead.size > 0) skipGap(block);
        passOver(block, acknowledgedTicks(plan, ledger, block.meaning.host));
      }
      const covered = new Map<number, Set<number>>();
      for (const [id, { host, metrics }] of blocks) {
        const known = covered.get(host) ?? new Set();
        covered.set(host, known);
        const acknowledged = acknowledgedTicks(plan, ledger, host);
        report.rowsExpected += acknowledged;
        if (!open.has(id) && acknowledged > 0) fault('missing', `all rows of block ${id}`);
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

/** Returns how many ticks of a host were acknowledged. */
export function acknowledgedTicks(plan: Plan, ledger: Ledger, host: number): number {
  const connection = host % plan.connections;
  const hosts = Math.ceil((plan.hosts - connection) / plan.connections);
  const acknowledged = ledger.acknowledged[connection] as number;
  const rank = Math.floor(host / plan.connections);
  return Math.floor(acknowledged / hosts) + (acknowledged % hosts > rank ? 1 : 0);
}
