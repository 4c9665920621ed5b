import { randomInt } from 'node:crypto';
import { isSameShape, type PartShape, shapeOf } from '@tidewatch/contracts/ingest/part-shape';
import { BOUNDS } from '@tidewatch/contracts/ingest/sample';
import { LRUCache } from 'lru-cache';
import { SeriesHash } from '../wire/series-hash.ts';
import { NONE } from './outputs/none.ts';
import type { Outputs } from './outputs/outputs.ts';

/** What one of several payloads names: metrics of the host, and those of parts after them. */
export interface Piece {
  metrics: readonly string[];
  shape: PartShape | null;
}

const MAX_LISTS = 1_000;
const MAX_SEED = 2 ** 31;

/** The names in payloads of hosts that report the same, which are kept once for all of them. */
export class SharedPieces {
  readonly #outputs: Outputs;
  readonly #known = new LRUCache<string, readonly Piece[]>({ max: MAX_LISTS });
  readonly #hash = new SeriesHash([randomInt(MAX_SEED), randomInt(MAX_SEED)]);

  constructor(outputs: Outputs) {
    this.#outputs = outputs;
  }

  /** What payloads of these outputs name, in their order: as few as their bounds allow. */
  of(outputs: readonly number[]): readonly Piece[] {
    const key = this.#keyOf(outputs);
    const known = this.#known.get(key);
    const pieces = piecesOf(outputs, this.#outputs);
    if (known !== undefined && isSame(known, pieces)) return known;
    this.#known.set(key, pieces);
    return pieces;
  }

  #keyOf(outputs: readonly number[]): string {
    const known = this.#outputs;
    const hash = this.#hash;
    hash.begin();
    let last = NONE;
    for (const output of outputs) {
      hash.text(known.metricOf(output));
      const part = known.partOf(output);
      if (part === last || part === NONE) continue;
      const { kind, name, labels } = known.parts.of(part);
      hash.text(kind);
      hash.text(name);
      for (const label of Object.entries(labels ?? {}).flat()) hash.text(label);
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
function piecesOf(outputs: readonly number[], known: Outputs): Piece[] {
  const pieces: Piece[] = [];
  const firstOfParts = outputs.findIndex((output) => known.partOf(output) !== NONE);
  const host = firstOfParts === -1 ? outputs : outputs.slice(0, firstOfParts);
  const parts = firstOfParts === -1 ? [] : outputs.slice(firstOfParts);
  for (let at = 0; at < host.length; at += BOUNDS.metrics) {
    const metrics = host.slice(at, at + BOUNDS.metrics).map((output) => known.metricOf(output));
    pieces.push({ metrics, shape: null });
  }
  if (parts.length === 0) return pieces;
  const last = pieces.pop() ?? { metrics: [] };
  return [...pieces, { metrics: last.metrics, shape: shapeOfParts(parts, known) }];
}

/** A host never has more parts and numbers than a payload may have; see `HostOutputs`. */
function shapeOfParts(outputs: readonly number[], known: Outputs): PartShape {
  const kinds: string[] = [];
  const names: string[] = [];
  const labels: (Readonly<Record<string, string>> | null)[] = [];
  const ends: number[] = [];
  let last = NONE;
  for (const [index, output] of outputs.entries()) {
    const part = known.partOf(output);
    if (part === last) continue;
    if (last !== NONE) ends.push(index);
    const of = known.parts.of(part);
    kinds.push(of.kind);
    names.push(of.name);
    labels.push(of.labels);
    last = part;
  }
  ends.push(outputs.length);
  const metrics = outputs.map((output) => known.metricOf(output));
  return shapeOf({ kinds, names, labels, metrics, ends });
}
