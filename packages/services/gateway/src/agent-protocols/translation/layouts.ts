import type { PartShape } from '@tidewatch/contracts/ingest/part-shape';
import { hasSameLabels } from '@tidewatch/contracts/ingest/part-shape';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { NONE } from './outputs/none.ts';
import type { Outputs } from './outputs/outputs.ts';
import type { Piece, SharedPieces } from './shared-pieces.ts';

/** A scrape comes in few different pieces, over and over. */
const MAX_LAYOUTS = 8;

/** What the last payloads of a host named, so that payloads of the same metrics share their lists of names, which those of other hosts share too. */
export class Layouts {
  #layouts: (readonly Piece[])[] = [];
  readonly #outputs: Outputs;
  readonly #shared: SharedPieces;

  constructor(outputs: Outputs, shared: SharedPieces) {
    this.#outputs = outputs;
    this.#shared = shared;
  }

  /** Payloads of these outputs, in their order, with their values: as few as their bounds allow. Clears nothing of the outputs. */
  payloads(host: string, time: number, outputs: readonly number[]): Payload[] {
    let layout = this.#layouts.find((each) => names(each, outputs, this.#outputs));
    if (layout === undefined) {
      layout = this.#shared.of(outputs);
      // Not spread into a literal, which would leave room for further ones, at each host.
      this.#layouts = [layout].concat(this.#layouts.slice(0, MAX_LAYOUTS - 1));
    }
    let at = 0;
    return layout.map(({ metrics, shape }) => {
      const values = this.#values(outputs, at, metrics.length);
      at += metrics.length;
      if (shape === null) return { host, time, metrics, values };
      const ofParts = this.#values(outputs, at, shape.metrics.length);
      at += shape.metrics.length;
      return { host, time, metrics, values, parts: { shape, values: ofParts } };
    });
  }

  #values(outputs: readonly number[], from: number, count: number): number[] {
    const values: number[] = [];
    for (let at = from; at < from + count; at += 1) values.push(this.#outputs.valueOf(outputs[at] as number));
    return values;
  }
}

/** Whether pieces name these outputs, in this order. */
function names(pieces: readonly Piece[], outputs: readonly number[], known: Outputs): boolean {
  let at = 0;
  for (const { metrics, shape } of pieces) {
    const end = at + metrics.length + (shape?.metrics.length ?? 0);
    if (end > outputs.length) return false;
    for (const metric of metrics) {
      const output = outputs[at++] as number;
      if (known.metricOf(output) !== metric || known.partOf(output) !== NONE) return false;
    }
    if (shape !== null && !namesParts(shape, outputs, at, known)) return false;
    at = end;
  }
  return at === outputs.length;
}

function namesParts(shape: PartShape, outputs: readonly number[], from: number, known: Outputs): boolean {
  let at = 0;
  for (let index = 0; index < shape.ends.length; index += 1) {
    const part = known.partOf(outputs[from + at] as number);
    if (part === NONE) return false;
    const { kind, name, labels } = known.parts.of(part);
    if (shape.names[index] !== name || shape.kinds[index] !== kind) return false;
    if (!hasSameLabels(shape.labels[index] ?? null, labels)) return false;
    for (const end = shape.ends[index] as number; at < end; at += 1) {
      const output = outputs[from + at] as number;
      if (known.metricOf(output) !== shape.metrics[at] || known.partOf(output) !== part) return false;
    }
  }
  return true;
}
