/** Series of one kind of metric, like those that hosts report. */
export interface SeriesKind {
  name: string;
  /** A function for each series that returns its next number. */
  open(random: () => number): () => number;
}

const PAGE = 4_096;

/** A walk of steps up to `step` from `first` on. */
function walk(random: () => number, first: number, step: number): () => number {
  let value = first;
  return () => {
    value = Math.abs(value + Math.round((random() * 2 - 1) * step));
    return value;
  };
}

/** What hosts report, in the order of the table. */
export const SERIES_KINDS: readonly SeriesKind[] = [
  {
    name: 'two decimals',
    open(random) {
      const next = walk(random, 5_000, 100);
      return () => next() / 100;
    },
  },
  {
    name: 'constants',
    open(random) {
      const value = Math.round(random() * 1_000);
      return () => value;
    },
  },
  {
    name: 'counters',
    open(random) {
      const rate = 1_000 + random() * 10_000;
      let value = Math.round(random() * 1e9);
      return () => {
        value += Math.round(rate * (0.7 + random() * 0.6));
        return value;
      };
    },
  },
  {
    name: 'bytes in pages',
    open(random) {
      const next = walk(random, 500_000, 2_000);
      return () => next() * PAGE;
    },
  },
  { name: 'doubles', open: (random) => () => random() * 100 },
];

/**
 * A block as of a host: how many of its sixteen series are of each kind, in the order of SERIES_KINDS. Doubles are rare
 * on real hosts, whose agents round.
 */
export const BLOCK_MIX: readonly number[] = [9, 3, 2, 2, 0];

/** Random numbers from 0 to 1 by xorshift, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}
