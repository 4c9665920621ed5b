import { describe, expect, it } from 'vitest';
import { describeFault } from './log-fault.ts';
import { acceptsMove, isApplied, type Standing, standingAt, stepOf } from './log-position.ts';
import type { Move } from './offset-store.ts';

const position = (nextOffset: bigint | null, fingerprint: number | null = 7) => ({
  partition: 3,
  epoch: 2,
  nextOffset,
  fingerprint,
});
const standing = (next: bigint, verify: number | null = null): Standing => ({
  partition: 3,
  epoch: 2,
  next,
  mark: verify,
  verify,
});
const records = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({
    offset: BigInt(from + index),
    fingerprint: from + index,
  }));

describe('the offset at which a reader continues', () => {
  it.each([
    [
      'with the oldest record, where nothing was applied',
      null,
      { low: 5n, high: 9n },
      { next: 5n, verify: null },
    ],
    [
      'after the last applied record, which it looks at again',
      7n,
      { low: 0n, high: 9n },
      { next: 7n, verify: 7 },
    ],
    ['at the end of a log', 9n, { low: 0n, high: 9n }, { next: 9n, verify: 7 }],
    [
      'at the beginning of what is kept, without a look',
      5n,
      { low: 5n, high: 9n },
      { next: 5n, verify: null },
    ],
    ['stops at an emptied log', 7n, { low: 0n, high: 0n }, { kind: 'shortened' }],
    [
      'nowhere, where records were deleted unread',
      4n,
      { low: 5n, high: 9n },
      { kind: 'lacking', from: 4n, to: 5n },
    ],
  ])('%s', (_name, next, range, expected) => {
    expect(standingAt(position(next), range)).toMatchObject(expected);
  });
});

describe('what a reader does with fetched records', () => {
  it.each([
    [
      'applies what comes next',
      standing(0n),
      records(0, 3),
      3n,
      { kind: 'apply', first: 0, move: { from: 0n, to: 3n, fingerprints: [0, 1, 2] } },
    ],
    [
      'leaves out what was applied',
      standing(2n),
      records(0, 4),
      4n,
      { kind: 'apply', first: 2, move: { from: 2n, to: 4n } },
    ],
    ['goes back for what it has not seen', standing(2n), records(3, 4), 4n, { kind: 'seek', to: 2n }],
    [
      'goes back one further for the record that it looks at again',
      standing(2n, 1),
      records(2, 4),
      4n,
      { kind: 'seek', to: 1n },
    ],
    [
      'sees the applied record again',
      standing(2n, 1),
      records(1, 4),
      4n,
      { kind: 'apply', first: 1, verified: true },
    ],
    [
      'stops at another record in its place',
      standing(2n, 99),
      records(1, 4),
      4n,
      { kind: 'replaced', offset: 1n },
    ],
    [
      'stops at a gap',
      standing(0n),
      [...records(0, 1), ...records(2, 3)],
      3n,
      { kind: 'lacking', from: 1n, to: 2n },
    ],
    [
      'stops at a log that became shorter',
      standing(5n),
      records(0, 2),
      2n,
      { kind: 'shortened', high: 2n, next: 5n },
    ],
    [
      'has nothing to do with what is old',
      standing(4n),
      records(0, 4),
      4n,
      { kind: 'nothing', verified: false },
    ],
  ])('%s', (_name, at, fetched, high, expected) => {
    expect(stepOf(at, fetched, high)).toMatchObject(expected);
  });

  it('describes each fault and names the document with its remedy', () => {
    const text = describeFault('samples', { kind: 'lacking', partition: 3, from: 4n, to: 6n });
    expect(text).toMatch(/^samples\/3 lacks the records 4 to 5, .*docs\/distributed\.md\.$/);
  });
});

describe('every order of two readers, crashes, takeovers and lost answers', () => {
  const RECORDS = 3;
  const HIGH = BigInt(RECORDS);
  interface Reader {
    standing: Standing | null;
    /** The reader's running transaction, or null. */
    move: Move | null;
    /** True if the commit of the move was sent and its result was lost. */
    unsure: boolean;
    /** A move whose commit the reader has sent and the server has not processed yet. */
    landing: Move | null;
  }
  interface World {
    epoch: number;
    next: bigint | null;
    fingerprint: number | null;
    /** By record, the number of times that it was applied. */
    applied: number[];
    readers: Reader[];
    /** Transactions of readers that have died, which the server may still commit. */
    orphans: Move[];
    /** How many more crashes and takeovers may happen. */
    trouble: number;
  }

  const keyOf = (world: World) =>
    JSON.stringify(world, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
  const storedIn = (world: World) => ({
    partition: 0,
    epoch: world.epoch,
    nextOffset: world.next,
    fingerprint: world.fingerprint,
  });

  function commit(world: World, move: Move, takes: typeof acceptsMove): boolean {
    if (!takes(storedIn(world), move)) return false;
    for (let offset = Number(move.from); offset < Number(move.to); offset += 1)
      world.applied[offset] = (world.applied[offset] ?? 0) + 1;
    world.next = move.to;
    world.fingerprint = move.fingerprints.at(-1) ?? null;
    return true;
  }

  /** Returns every state that can follow `world`. A fetch returns either one record or all unread records. */
  function successors(world: World, takes: typeof acceptsMove, waits: boolean): World[] {
    const found: World[] = [];
    const change = (edit: (copy: World) => void) => {
      const copy = structuredClone(world);
      edit(copy);
      found.push(copy);
    };
    world.readers.forEach((reader, index) => {
      const my = (copy: World) => copy.readers[index] as Reader;
      if (world.trouble > 0) {
        change((copy) => {
          copy.trouble -= 1;
          copy.epoch += 1;
          const standing = standingAt(storedIn(copy), { low: 0n, high: HIGH });
          if ('kind' in standing) throw new Error('the log was never changed');
          my(copy).standing = standing;
        });
        change((copy) => {
          copy.trouble -= 1;
          const { move, landing } = my(copy);
          for (const orphan of new Set([move, landing])) if (orphan) copy.orphans.push(orphan);
          copy.readers[index] = { standing: null, move: null, unsure: false, landing: null };
        });
      }
      const { standing, move, unsure, landing } = reader;
      if (standing && !move && standing.next < HIGH) {
        const begin = Number(standing.verify === null ? standing.next : standing.next - 1n);
        for (const end of new Set([Math.min(begin + 2, RECORDS), RECORDS])) {
          const step = stepOf(standing, records(begin, end), HIGH);
          if (step.kind === 'apply')
            change((copy) => {
              my(copy).move = step.move;
            });
        }
      }
      if (move && !unsure) {
        change((copy) => {
          const done = commit(copy, move, takes);
          const mine = my(copy);
          if (done && mine.standing?.epoch === move.epoch)
            mine.standing = { ...mine.standing, next: move.to, verify: null };
          mine.move = null;
        });
        // Three outcomes: committed with a lost result, not committed, or still running.
        change((copy) => {
          commit(copy, move, takes);
          my(copy).unsure = true;
        });
        change((copy) => {
          my(copy).unsure = true;
        });
        if (!landing)
          change((copy) => {
            my(copy).unsure = true;
            my(copy).landing = move;
          });
      }
      if (landing) {
        for (const arrives of [true, false])
          change((copy) => {
            my(copy).landing = null;
            if (arrives) commit(copy, landing, takes);
          });
      }
      if (move && unsure && !(waits && landing)) {
        change((copy) => {
          const mine = my(copy);
          if (isApplied(storedIn(copy), move)) {
            if (mine.standing?.epoch === move.epoch)
              mine.standing = { ...mine.standing, next: move.to, verify: null };
            mine.move = null;
          }
          mine.unsure = false;
        });
      }
    });
    world.orphans.forEach((orphan, index) => {
      change((copy) => {
        copy.orphans.splice(index, 1);
        commit(copy, orphan, takes);
      });
    });
    return found;
  }

  /** Whether a reader that owns the partition would submit records that are already applied again and again. */
  const isStranded = ({ standing, move, landing }: Reader, { epoch, next }: World) =>
    standing?.epoch === epoch && !move && !landing && standing.next !== (next ?? 0n);

  /** Visits every reachable state; returns how many there are and the first in which a record was applied twice. */
  function explore(takes: typeof acceptsMove, waits = true) {
    const reader = (): Reader => ({ standing: null, move: null, unsure: false, landing: null });
    const start: World = {
      epoch: 0,
      next: null,
      fingerprint: null,
      applied: Array(RECORDS).fill(0),
      readers: [reader(), reader()],
      orphans: [],
      trouble: 4,
    };
    const seen = new Set([keyOf(start)]);
    const open = [start];
    let doubled: World | null = null;
    let lost: World | null = null;
    let stranded: World | null = null;
    let finished = 0;
    for (let world = open.pop(); world && !doubled && !lost && !stranded; world = open.pop()) {
      if (world.applied.some((count) => count > 1)) doubled ??= world;
      // The position in the store matches the records that were applied.
      if (world.applied.some((count, offset) => count > 0 !== BigInt(offset) < (world.next ?? 0n)))
        lost ??= world;
      if (world.readers.some((each) => isStranded(each, world))) stranded ??= world;
      if (world.next === HIGH) finished += 1;
      for (const next of successors(world, takes, waits)) {
        const key = keyOf(next);
        if (seen.has(key)) continue;
        seen.add(key);
        open.push(next);
      }
    }
    return { worlds: seen.size, finished, doubled, lost, stranded };
  }

  it('applies each record once', { timeout: 120_000 }, () => {
    const { worlds, finished, doubled, lost, stranded } = explore(acceptsMove);
    expect(worlds).toBeGreaterThan(2_000);
    expect(finished).toBeGreaterThan(0);
    expect(doubled).toBeNull();
    expect(lost).toBeNull();
    expect(stranded).toBeNull();
  });

  it('finds the fault of a reader that reads its position before its commit has ended', {
    timeout: 120_000,
  }, () => {
    expect(explore(acceptsMove, false).stranded).not.toBeNull();
  });

  it.each([
    ['without the swap', () => true],
    ['without the offset', (stored, move) => stored.epoch === move.epoch],
  ] satisfies [string, typeof acceptsMove][])('finds the fault %s', { timeout: 120_000 }, (_name, takes) => {
    const { doubled, lost } = explore(takes);
    expect(doubled ?? lost).not.toBeNull();
  });
});
