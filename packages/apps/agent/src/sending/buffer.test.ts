import { describe, expect, test } from 'vitest';
import { createPayloadBuffer } from './buffer.ts';

describe('the payload buffer', () => {
  test('drops the oldest payloads beyond its max number, and returns how many', () => {
    const buffer = createPayloadBuffer({ payloads: 2, bytes: 100 });
    expect([buffer.push('a'), buffer.push('b'), buffer.push('c')]).toEqual([0, 0, 1]);
    expect(buffer.peek(10, 100)).toEqual(['b', 'c']);
  });
  test('drops the oldest payloads beyond its max size', () => {
    const buffer = createPayloadBuffer({ payloads: 10, bytes: 10 });
    for (const body of ['aaaa', 'bbbb', 'cc']) buffer.push(body);
    expect(buffer.push('dddddd')).toBe(2);
    expect(buffer.bytes).toBe(8);
    expect(buffer.peek(10, 100)).toEqual(['cc', 'dddddd']);
  });
  test('drops a payload that is larger than the whole buffer', () => {
    const buffer = createPayloadBuffer({ payloads: 10, bytes: 3 });
    expect(buffer.push('too long')).toBe(1);
    expect(buffer.length).toBe(0);
  });
  test('limits a batch in number and bytes, but never returns an empty one', () => {
    const buffer = createPayloadBuffer({ payloads: 10, bytes: 100 });
    for (const body of ['aaaa', 'bbbb', 'cccc']) buffer.push(body);
    expect(buffer.peek(2, 100)).toEqual(['aaaa', 'bbbb']);
    expect(buffer.peek(10, 9)).toEqual(['aaaa', 'bbbb']);
    expect(buffer.peek(10, 1)).toEqual(['aaaa']);
    buffer.shift(1);
    expect([buffer.length, buffer.bytes]).toEqual([2, 8]);
  });
});
