import { shapeOf } from '@tidewatch/contracts/ingest/part-shape';
import { describe, expect, it } from 'vitest';
import { type KnownParts, KnownPartsOfHosts } from './known-parts.ts';

const shape = shapeOf({ kinds: [], names: [], labels: [], metrics: [], ends: [] });
const ofBytes = (bytes: number): KnownParts => ({
  shape,
  bytes: new DataView(new ArrayBuffer(bytes)),
  cuts: [],
});

describe('the last parts of hosts', () => {
  it('stay within the limit of memory: without room a host is not remembered, and others are', () => {
    const known = new KnownPartsOfHosts(100);
    const [first, second] = [ofBytes(60), ofBytes(40)];
    known.set('a', first);
    known.set('b', second);
    known.set('c', ofBytes(1));
    expect([known.get('a'), known.get('b'), known.get('c')]).toEqual([first, second, undefined]);
  });

  it('replace those of the same host, whose room they have', () => {
    const known = new KnownPartsOfHosts(100);
    known.set('a', ofBytes(100));
    const smaller = ofBytes(50);
    known.set('a', smaller);
    const other = ofBytes(50);
    known.set('b', other);
    expect([known.get('a'), known.get('b')]).toEqual([smaller, other]);
  });

  it('are dropped once many lists found no room, for the hosts that report then', () => {
    const known = new KnownPartsOfHosts(100, 3);
    known.set('a', ofBytes(100));
    for (const host of ['b', 'c', 'd']) known.set(host, ofBytes(10));
    expect(known.get('a')).toBeUndefined();
    expect(known.get('d')?.bytes.byteLength).toBe(10);
  });
});
