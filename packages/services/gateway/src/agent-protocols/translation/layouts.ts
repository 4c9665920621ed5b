import type { Payload } from '@tidewatch/contracts/ingest/sample';
import type { Output } from './output.ts';
import type { Piece, SharedPieces } from './shared-pieces.ts';

interface Layout {
  outputs: readonly Output[];
  pieces: readonly Piece[];
}

/** A scrape comes in few different pieces, over and over. */
const MAX_LAYOUTS = 8;

/** The layouts of the last payloads of a host, so that payloads of the same metrics share their lists of names, which those of other hosts share too. */
export class Layouts {
  #layouts: Layout[] = [];
  readonly #shared: SharedPieces;

  constructor(shared: SharedPieces) {
    this.#shared = shared;
  }

  /** Payloads of these outputs, in their order, with their values: as few as their bounds allow. Clears nothing of the outputs. */
  payloads(host: string, time: number, outputs: readonly Output[]): Payload[] {
    let layout = this.#layouts.find((each) => isSame(each.outputs, outputs));
    if (layout === undefined) {
      layout = { outputs: [...outputs], pieces: this.#shared.of(outputs) };
      this.#layouts = [layout, ...this.#layouts.slice(0, MAX_LAYOUTS - 1)];
    }
    let at = 0;
    return layout.pieces.map(({ metrics, shape }) => {
      const values: number[] = [];
      for (let count = metrics.length; count > 0; count -= 1) values.push((outputs[at++] as Output).value);
      if (shape === null) return { host, time, metrics, values };
      const ofParts: number[] = [];
      for (let count = shape.metrics.length; count > 0; count -= 1)
        ofParts.push((outputs[at++] as Output).value);
      return { host, time, metrics, values, parts: { shape, values: ofParts } };
    });
  }
}

function isSame(one: readonly Output[], other: readonly Output[]): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
  return true;
}
