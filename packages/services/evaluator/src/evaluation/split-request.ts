import type { Payload, SampleBatch } from '@tidewatch/contracts/ingest/sample';

/**
 * Divides a request into what is done and what is left, by the places of the latter's payloads; both keep their order.
 * A receipt is that of the request's last part.
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
