import { expect, test } from 'vitest';
import { planOf } from '../load/plan.fixture.ts';
import { createLineEncoder, createRemoteWriteEncoder } from './encode.ts';

const plan = planOf({ hosts: 2, metrics: 2, ticks: 2, connections: 1 });
const first = { host: 1, tick: 0, time: 1_700_000_000_000, values: Int32Array.of(1250, 7) };
const second = { host: 1, tick: 1, time: 1_700_000_010_000, values: Int32Array.of(1300, 8) };

test('lines', () => {
  const encoder = createLineEncoder(plan, '000000');
  encoder.add(first);
  expect(encoder.take()).toBe(
    'host,host=bench-00001 cpu_percent=12.5,memory_percent=0.07 1700000000000000000\n',
  );
  expect(encoder.take()).toBe('');
});

test('a remote-write request groups the samples of each series', () => {
  const encoder = createRemoteWriteEncoder(plan);
  encoder.add(first);
  encoder.add(second);
  const body = Buffer.from(encoder.take());
  // The body is one snappy literal: the length of the whole, then a tag with two bytes of length.
  const plain = body.subarray(5);
  expect(plain.length).toBe(body.readUInt16LE(3) + 1);
  expect(readMessage(plain)).toEqual([
    [1, series('cpu_percent', [12.5, 13])],
    [1, series('memory_percent', [0.07, 0.08])],
  ]);
  expect(Buffer.from(encoder.take())).toEqual(Buffer.from([0]));

  function series(name: string, values: number[]) {
    return [
      [
        1,
        [
          [1, '__name__'],
          [2, name],
        ],
      ],
      [
        1,
        [
          [1, 'host'],
          [2, 'bench-00001'],
        ],
      ],
      [
        2,
        [
          [1, values[0]],
          [2, first.time],
        ],
      ],
      [
        2,
        [
          [1, values[1]],
          [2, second.time],
        ],
      ],
    ];
  }
});

type Field = [number: number, value: number | string | Field[]];

/** Parses a protobuf message by its wire types; a field whose bytes are all printable and longer than a tag is text. */
function readMessage(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at++] as number;
    if ((tag & 7) === 1) {
      fields.push([tag >> 3, bytes.readDoubleLE(at)]);
      at += 8;
      continue;
    }
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = bytes[at++] as number;
      value += (byte & 127) * shift;
      if (byte < 128) break;
    }
    if ((tag & 7) === 0) fields.push([tag >> 3, value]);
    else {
      const body = bytes.subarray(at, at + value);
      fields.push([tag >> 3, /^[\w-]+$/.test(body.toString('latin1')) ? body.toString() : readMessage(body)]);
      at += value;
    }
  }
  return fields;
}
