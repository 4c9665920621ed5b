import { gzipSync } from 'node:zlib';
import type { Payload } from '@tidewatch/contracts/ingest/sample';

/** From how many bytes on our agent compresses a body. */
const COMPRESS_FROM_BYTES = 1_024;

export const NATIVE_PATH = '/api/v1/ingest';

/** The payloads as our own agent sends them, of another host. */
export function nativeBody(
  payloads: readonly Payload[],
  host: string,
): { bytes: Buffer; isCompressed: boolean } {
  const all = payloads.map((payload) => nativePayload(payload, host));
  const text = Buffer.from(JSON.stringify(all.length === 1 ? all[0] : all));
  const isCompressed = text.length >= COMPRESS_FROM_BYTES;
  return { bytes: isCompressed ? gzipSync(text) : text, isCompressed };
}

export function nativeHeaders(isCompressed: boolean): Record<string, string> {
  return { 'content-type': 'application/json', ...(isCompressed && { 'content-encoding': 'gzip' }) };
}

/** How many values the payloads have. */
export function countValues(payloads: readonly Payload[]): number {
  return payloads.reduce((sum, { values, parts }) => sum + values.length + (parts?.values.length ?? 0), 0);
}

function nativePayload({ time, metrics, values, tags, parts }: Payload, host: string): object {
  return {
    host,
    timestamp: new Date(time).toISOString(),
    metrics: Object.fromEntries(metrics.map((metric, index) => [metric, values[index]])),
    ...(tags !== undefined && { tags }),
    ...(parts !== undefined && { parts: nativeParts(parts) }),
  };
}

function nativeParts({ shape, values }: NonNullable<Payload['parts']>): object[] {
  let at = 0;
  return shape.ends.map((end, index) => {
    const numbers: Record<string, number> = {};
    for (; at < end; at += 1) numbers[shape.metrics[at] as string] = values[at] as number;
    const labels = shape.labels[index];
    return {
      kind: shape.kinds[index],
      name: shape.names[index],
      ...(labels != null && { labels }),
      ...numbers,
    };
  });
}
