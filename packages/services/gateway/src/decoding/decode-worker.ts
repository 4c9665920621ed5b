import { parentPort } from 'node:worker_threads';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { giveWay } from '@tidewatch/runtime/process/give-way';
import { decoderNamed } from '../protocols/protocols.ts';
import type { DecodedBody } from './decoded-body.ts';

export interface DecodeJob {
  id: number;
  bytes: Uint8Array;
  /** The name of the decoder. */
  decoder: string;
  receivedAt: number;
  lenient: boolean;
}

/** A message of the thread. The first one of a job has no payloads; each `id` that is sent back requests the next slice. */
export type DecodeAnswer =
  | { id: number; kind: 'decoded'; decoded: DecodedBody }
  | { id: number; kind: 'slice'; payloads: Payload[]; last: boolean };

/** The max number of samples in one message, which bounds how long the main thread is busy reading it. */
const SLICE_SAMPLES = 5_000;

let pending: Payload[] = [];
let position = 0;

function weightOf(payload: Payload): number {
  const { metrics, containers, processes, parts, processCounts } = payload;
  const ofParts = parts === undefined ? 0 : parts.values.length + parts.shape.kinds.length * 4;
  const ofProcesses = (processes?.length ?? 0) * 2 + (processCounts?.names.length ?? 0);
  return 1 + metrics.length + (containers?.length ?? 0) * 4 + ofProcesses + ofParts;
}

function nextSlice(): Payload[] {
  const start = position;
  for (let weight = 0; position < pending.length && (weight === 0 || weight < SLICE_SAMPLES); position += 1) {
    weight += weightOf(pending[position] as Payload);
  }
  return pending.slice(start, position);
}

giveWay();
const port = parentPort;
port?.on('message', (message: DecodeJob | number) => {
  if (typeof message === 'number') {
    const payloads = nextSlice();
    const last = position >= pending.length;
    port.postMessage({ id: message, kind: 'slice', payloads, last } satisfies DecodeAnswer);
    if (last) pending = [];
    return;
  }
  const { id, bytes, decoder, receivedAt, lenient } = message;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoded = decoderNamed(decoder).decode(buffer, receivedAt);
  const wanted = decoded.faultCount === 0 || (lenient && !decoded.refused);
  pending = wanted ? decoded.payloads : [];
  position = 0;
  const summary = { ...decoded, payloads: [] };
  port.postMessage({ id, kind: 'decoded', decoded: summary } satisfies DecodeAnswer);
});
