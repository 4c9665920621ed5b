import type { Payload, SampleBatch } from '@tidewatch/contracts/ingest/sample';

/**
 * Splits a request into the evaluated payloads and the remaining ones (by index), both in order. Only the remaining part
 * keeps the receipt id.
 */
export function splitRequest(
  request: SampleBatch,
  left: readonly number[],
): { done: SampleBatch | null; rest: SampleBatch } {
  const { receiptId: _, ...taken } = request;
  const isLeft = new Set(left);
  const done: Payload[] = [];
  const rest: Payload[] = [];
  for (const [place, payload] of request.payloads.entries()) (isLeft.has(place) ? rest : done).push(payload);
  return {
    done: done.length === 0 ? null : { ...taken, payloads: done },
    rest: { ...request, payloads: rest },
  };
}
