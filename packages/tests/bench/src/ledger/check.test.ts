import { describe, expect, test } from 'vitest';
import { planOf } from '../load/plan.fixture.ts';
import { hostsOf, payloadsOf, timeOf } from '../load/plan.ts';
import { createWalk } from '../load/walk.ts';
import {
  acknowledgedTicks,
  type BlockMeaning,
  createLedgerCheck,
  isIntact,
  REORDERED_TICKS,
  type StoredRow,
} from './check.ts';

const plan = planOf({ metrics: 18, ticks: 30, payloadsPerRequest: 4 });
/** The faults of a check that found none. */
const NONE = { missing: 0, unexpected: 0, doubled: 0, altered: 0 };
const whole = {
  acknowledged: [0, 1].map((at) => payloadsOf(plan, at)),
  sent: [0, 1].map((at) => payloadsOf(plan, at)),
};

// Two blocks for each host: sixteen metrics and two more.
const blocks = new Map<number, BlockMeaning>();
for (let host = 0; host < plan.hosts; host += 1) {
  blocks.set(host * 2, { host, metrics: new Map(Array.from({ length: 16 }, (_, slot) => [slot, slot])) });
  blocks.set(host * 2 + 1, {
    host,
    metrics: new Map([
      [0, 17],
      [1, 16],
    ]),
  });
}

function stored(ticksOf: (host: number) => number = () => plan.ticks): StoredRow[] {
  const rows: StoredRow[] = [];
  for (const [block, { host, metrics }] of blocks) {
    const walk = createWalk(plan, host);
    for (let tick = 0; tick < ticksOf(host); tick += 1) {
      walk.next();
      const values: (number | null)[] = new Array(16).fill(null);
      for (const [slot, metric] of metrics) values[slot] = (walk.values[metric] as number) / 100;
      rows.push({ block, time: timeOf(plan, host, tick), values });
    }
  }
  return rows;
}

function check(rows: StoredRow[], ledger = whole) {
  const checking = createLedgerCheck(plan, ledger, blocks);
  for (const row of rows) checking.add(row);
  return checking.finish();
}

describe('the check of the ledger', () => {
  test('finds no fault where every row is stored once', () => {
    const report = check(stored());
    expect(report).toMatchObject({ rowsExpected: 300, rowsFound: 300, ...NONE });
    expect(isIntact(report)).toBe(true);
  });

  test.each([0, 1, 29, 30, 150, 299])('finds the removed row %i', (index) => {
    const report = check(stored().toSpliced(index, 1));
    expect(report).toMatchObject({ ...NONE, missing: 1 });
    expect(isIntact(report)).toBe(false);
  });

  test.each([0, 29, 150, 299])('finds the duplicate of row %i', (index) => {
    const rows = stored();
    const report = check(rows.toSpliced(index, 0, rows[index] as StoredRow));
    expect(report).toMatchObject({ ...NONE, doubled: 1 });
  });

  test.each([0, 29, 150, 299])('finds the altered row %i', (index) => {
    const rows = stored();
    const row = rows[index] as StoredRow;
    const values = row.values.with(1, (row.values[1] as number) + 0.01);
    expect(check(rows.with(index, { ...row, values }))).toMatchObject({ ...NONE, altered: 1 });
  });

  test('accepts rows in any order', () => {
    const rows = stored();
    const mixed = rows.toSorted(
      (a, b) => ((a.time / 1_000 + a.block) % 7) - ((b.time / 1_000 + b.block) % 7),
    );
    expect(mixed).not.toEqual(rows);
    expect(isIntact(check(mixed))).toBe(true);
    expect(check(mixed.toSpliced(17, 1))).toMatchObject({ ...NONE, missing: 1 });
    expect(check([...mixed, mixed[40] as StoredRow])).toMatchObject({ ...NONE, doubled: 1 });
  });

  test('reports a row that comes too late, so that the rows waiting in memory stay bounded', () => {
    const long = { ...plan, hosts: 1, metrics: 1, connections: 1, ticks: REORDERED_TICKS + 2 };
    const block = new Map([[0, { host: 0, metrics: new Map([[0, 0]]) }]]);
    const walk = createWalk(long, 0);
    const rows = Array.from({ length: long.ticks }, (_, tick): StoredRow => {
      walk.next();
      const values: (number | null)[] = new Array(16).fill(null);
      values[0] = (walk.values[0] as number) / 100;
      return { block: 0, time: timeOf(long, 0, tick), values };
    });
    const inTurn = (late: readonly StoredRow[]) => {
      const sent = [long.ticks];
      const checking = createLedgerCheck(long, { acknowledged: sent, sent }, block);
      for (const row of late) checking.add(row);
      return checking.finish();
    };
    const [first, ...others] = rows as [StoredRow, ...StoredRow[]];
    expect(inTurn(others.toSpliced(REORDERED_TICKS, 0, first))).toMatchObject({ missing: 0, doubled: 0 });
    expect(inTurn([...others, first])).toMatchObject({ missing: 1, doubled: 1 });
  });

  test('finds a value in a slot without a metric', () => {
    const rows = stored();
    const row = rows[40] as StoredRow;
    const at = row.values.indexOf(null);
    const altered = rows.with(40, { ...row, values: row.values.with(at < 0 ? 15 : at, 1) });
    expect(check(altered)).toMatchObject({ ...NONE, altered: 1 });
  });

  test('finds a row that was never sent', () => {
    const rows = stored();
    const last = rows[29] as StoredRow;
    const report = check(rows.toSpliced(30, 0, { ...last, time: last.time + plan.stepMs }));
    expect(report).toMatchObject({ ...NONE, unexpected: 1 });
  });

  test('finds rows at a time between two ticks, and blocks it does not know', () => {
    const rows = stored();
    const row = rows[3] as StoredRow;
    expect(check(rows.toSpliced(4, 0, { ...row, time: row.time + 1 })).unexpected).toBe(1);
    expect(check([...rows, { block: 99, time: plan.startMs, values: [] }]).unexpected).toBe(1);
  });

  test('finds a host or a block without any row', () => {
    expect(check(stored((host) => (host === 3 ? 0 : plan.ticks))).missing).toBe(2);
  });

  test('finds a metric that has no slot', () => {
    const fewer = new Map(blocks);
    fewer.set(1, { host: 0, metrics: new Map([[1, 16]]) });
    const checking = createLedgerCheck(plan, whole, fewer);
    for (const row of stored()) checking.add(row);
    expect(checking.finish().missing).toBe(1);
  });

  test('accepts that a row whose request got no response is stored or not', () => {
    const ledger = { acknowledged: [30, 20], sent: [33, 22] };
    const least = stored((host) => acknowledgedTicks(plan, ledger, host));
    const most = stored((host) => acknowledgedTicks(plan, { ...ledger, acknowledged: ledger.sent }, host));
    expect(isIntact(check(least, ledger))).toBe(true);
    expect(isIntact(check(most, ledger))).toBe(true);
    expect(
      check(
        stored((host) => (host === 0 ? 12 : acknowledgedTicks(plan, ledger, host))),
        ledger,
      ).unexpected,
    ).toBe(2);
  });
});

test('the acknowledged ticks of all hosts add up to the payloads of their connections', () => {
  const ledger = { acknowledged: [31, 17], sent: [33, 20] };
  for (const connection of [0, 1]) {
    const ticks = hostsOf(plan, connection).map((host) => acknowledgedTicks(plan, ledger, host));
    expect(ticks.reduce((a, b) => a + b, 0)).toBe(ledger.acknowledged[connection]);
  }
});
