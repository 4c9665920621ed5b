import { Random as Seeded } from '../random.ts';

/** Random choices for simulated incidents. */
export class Random extends Seeded {
  between(least: number, most: number): number {
    return least + (most - least) * this.next();
  }

  /** A random whole number from `least` to `most`, inclusive. */
  whole(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new Error('cannot pick a random value: the list is empty');
    return value;
  }
}

/** A standard normal number that depends on a seed and an index alone. */
export function normalAt(seed: number, index: number): number {
  const first = mixed(seed ^ Math.imul(index, 0x9e3779b1));
  const second = mixed(first ^ 0x85ebca6b);
  return normalOf((first + 1) / (2 ** 32 + 1), second / 2 ** 32);
}

/** A normally distributed number from two uniform ones, by the transformation of Box and Muller (1958). */
function normalOf(first: number, second: number): number {
  return Math.sqrt(-2 * Math.log(first)) * Math.cos(2 * Math.PI * second);
}

function mixed(seed: number): number {
  let z = seed | 0;
  z = Math.imul(z ^ (z >>> 15), z | 1);
  z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
  z = Math.imul(z ^ (z >>> 16), 0x45d9f3b);
  return (z ^ (z >>> 14)) >>> 0;
}
