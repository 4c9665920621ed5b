import { randomInt } from 'node:crypto';
import { isSameShape, type PartShape, shapeOf } from '@tidewatch/contracts/ingest/part-shape';
import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import { LRUCache } from 'lru-cache';
import { SeriesHash } from '../wire/series-hash.ts';
import type { HostPart, Output } from './output.ts';

/** What one of several payloads names: metrics of the host, and those of parts after them. */
export interface Piece {
  metrics: readonly string[];
  shape: PartShape | null;
}

const MAX_LISTS = 1_000;
const MAX_SEED = 2 ** 31;

/** The names in payloads of hosts that report the same, which are kept once for all of them. */
export class SharedPieces {
  readonly #known = new LRUCache<string, readonly Piece[]>({ max: MAX_LISTS });
  readonly #hash = new SeriesHash([randomInt(MAX_SEED), randomInt(MAX_SEED)]);

  /** What payloads of these outputs name, in their order: as few as their bounds allow. */
  of(outputs: readonly Output[]): readonly Piece[] {
    const key = this.#keyOf(outputs);
    const known = this.#known.get(key);
    const pieces = piecesOf(outputs);
    if (known !== undefined && isSame(known, pieces)) return known;
    this.#known.set(key, pieces);
    return pieces;
  }

  #keyOf(outputs: readonly Output[]): string {
    const hash = this.#hash;
    hash.begin();
    let last: HostPart | null = null;
    for (const { part, metric } of outputs) {
      hash.text(metric);
      if (part === last || part === null) continue;
      hash.text(part.kind);
      hash.text(part.name);
      for (const label of Object.entries(part.labels ?? {}).flat()) hash.text(label);
      last = part;
    }
    return `${hash.high} ${hash.low}`;
  }
}

function isSame(one: readonly Piece[], other: readonly Piece[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ metrics, shape }, index) => {
      const { metrics: names, shape: parts } = other[index] as Piece;
      if (metrics.length !== names.length || metrics.some((name, at) => name !== names[at])) return false;
      return shape === null || parts === null ? shape === parts : isSameShape(shape, parts);
    })
  );
}

/** Divides ordered outputs (of the host first) so that each payload is within its bounds; a part is never divided. */
function piecesOf(outputs: readonly Output[]): Piece[] {
  const pieces: Piece[] = [];
  const firstOfParts = outputs.findIndex(({ part }) => part !== null);
  const host = firstOfParts === -1 ? outputs : outputs.slice(0, firstOfParts);
  const parts = firstOfParts === -1 ? [] : outputs.slice(firstOfParts);
  for (let at = 0; at < host.length; at += BOUNDS.metrics)
    pieces.push({ metrics: host.slice(at, at + BOUNDS.metrics).map(({ metric }) => metric), shape: null });
  if (parts.length === 0) return pieces;
  const last = pieces.pop() ?? { metrics: [] };
  return [...pieces, { metrics: last.metrics, shape: shapeOfParts(parts) }];
}

/** A host never has more parts and numbers than a payload may have; see `TranslatedHost`. */
function shapeOfParts(outputs: readonly Output[]): PartShape {
  const kinds: string[] = [];
  const names: string[] = [];
  const labels: (Record<string, string> | null)[] = [];
  const ends: number[] = [];
  let last: HostPart | null = null;
  for (const [index, { part }] of outputs.entries()) {
    if (part !== last && part !== null) {
      if (last !== null) ends.push(index);
      kinds.push(part.kind);
      names.push(part.name);
      labels.push(part.labels);
      last = part;
    }
  }
  ends.push(outputs.length);
  return shapeOf({ kinds, names, labels, metrics: outputs.map(({ metric }) => metric), ends });
}
