import { createRandom } from '@tidewatch/harness/seeded-random';
import { describe, expect, it } from 'vitest';
import { RecordingSink } from '../../testing/recording-sink.harness.ts';
import { lineProtocolDecoder } from './decode-line-protocol.ts';

const NOW = Date.UTC(2026, 10, 28);
/** How many bodies are sent; a long run sets another number. */
const BODIES = Number(process.env.TIDEWATCH_TEST_FUZZ_BODIES ?? 2_000);
const SEED = 20261128;

const CHARACTERS = ['a', 'b', ',', ' ', '=', '"', '#', '\\', 'é', '🌡', '\t', '.', '1', '-'];
const SPOILERS = Buffer.from(' ,="\\\n\r\0#-+.eiutT1\xff\xc3', 'latin1');

interface Field {
  name: string;
  text: string;
  /** Undefined for a text in quotes. */
  value: number | undefined;
}

interface Line {
  measurement: string;
  tags: Map<string, string>;
  fields: Field[];
  time: number;
}

class Lines {
  readonly random: () => number;

  constructor(seed: number) {
    this.random = createRandom(seed);
  }

  below(count: number): number {
    return Math.floor(this.random() * count);
  }

  /** A name that does not begin with what has a meaning there, nor ends with a backslash, which would escape what follows. */
  name(): string {
    const inner = Array.from({ length: this.below(8) }, () => CHARACTERS[this.below(CHARACTERS.length)]);
    return `x${inner.join('').replace(/\\(?=[\\,= ])/g, '')}x`;
  }

  field(): Field {
    const name = this.name();
    const number = (this.random() - 0.5) * 10 ** this.below(30);
    const integer = Math.trunc(number / 1e12) || 0;
    const kind = this.below(5);
    if (kind === 0) return { name, text: `"${this.name().replace(/[\\"]/g, '\\$&')}\n"`, value: undefined };
    if (kind === 1) return { name, text: `${integer}i`, value: integer };
    if (kind === 2) return { name, text: `${Math.abs(integer)}u`, value: Math.abs(integer) };
    if (kind === 3) return { name, text: 'true', value: 1 };
    return { name, text: String(number), value: number };
  }

  line(): Line {
    const tags = new Map(Array.from({ length: this.below(4) }, () => [this.name(), this.name()]));
    const fields = Array.from({ length: 1 + this.below(5) }, () => this.field());
    return { measurement: this.name(), tags, fields, time: this.below(2 ** 41) };
  }
}

const escaped = (text: string) => text.replace(/[,= ]/g, '\\$&');

function written({ measurement, tags, fields, time }: Line): string {
  const key = [measurement.replace(/[, ]/g, '\\$&')];
  for (const [name, value] of tags) key.push(`${escaped(name)}=${escaped(value)}`);
  return `${key.join()} ${fields.map(({ name, text }) => `${escaped(name)}=${text}`).join()} ${time}999999`;
}

function pointsOf({ measurement, tags, fields, time }: Line): unknown[] {
  const labels = [...tags].sort(([one], [other]) => (one < other ? -1 : 1)).flat();
  return fields.flatMap(({ name, value }) =>
    value === undefined ? [] : [{ name: `${measurement}_${name}`, labels, time, value }],
  );
}

describe(`line protocol with seed ${SEED}`, () => {
  it('gives back what was written, whatever is in names, tags and texts', () => {
    const lines = new Lines(SEED);
    const sink = new RecordingSink();
    for (let body = 0; body < BODIES; body += 1) {
      const some = Array.from({ length: 1 + lines.below(4) }, () => lines.line());
      sink.take(lineProtocolDecoder('ns', NOW), Buffer.from(some.map(written).join('\n')));
      const taken = sink.points.map(({ series: { name, labels }, time, value }) => ({
        name,
        labels,
        time,
        value,
      }));
      expect(taken, sink.examples.join()).toEqual(some.flatMap(pointsOf));
      expect(sink.rejected).toEqual({});
    }
  });

  it('is taken or refused line by line when bytes are spoiled, and never throws', () => {
    const lines = new Lines(SEED + 1);
    for (let body = 0; body < BODIES; body += 1) {
      const sink = new RecordingSink();
      const bytes = Buffer.from(Array.from({ length: 3 }, () => written(lines.line())).join('\n'));
      for (let spoiled = 0; spoiled <= lines.below(6); spoiled += 1)
        bytes[lines.below(bytes.length)] = SPOILERS[lines.below(SPOILERS.length)] as number;
      const end = Buffer.from('\n"\n"\nlast value=1');
      sink.take(lineProtocolDecoder('ns', NOW), Buffer.concat([bytes, end]));
      expect(sink.points.every(({ value }) => Number.isFinite(value))).toBe(true);
      expect(sink.points.every(({ time }) => Number.isFinite(time))).toBe(true);
      expect(sink.points.at(-1), bytes.toString('latin1')).toMatchObject({
        series: { name: 'last_value' },
        value: 1,
      });
      expect(Object.values(sink.rejected).length).toBeGreaterThan(0);
    }
  });
});
