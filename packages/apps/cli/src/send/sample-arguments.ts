import type { Payload } from '@tidewatch/api-client/ingest';
import { UsageError } from '../usage-error.ts';

/** The payload that arguments spell: a host, then `cpu_percent=93.5` and so on. Throws UsageError. */
export function readSample(
  host: string,
  pairs: readonly string[],
  options: { tags: readonly (readonly [string, string])[]; time?: string | undefined },
): Payload {
  if (pairs.length === 0) throw new UsageError('a sample needs a metric, such as cpu_percent=93.5');
  const metrics = pairs.map((pair): [string, number] => {
    const at = pair.lastIndexOf('=');
    const text = pair.slice(at + 1);
    if (at < 1 || text.trim() === '' || !Number.isFinite(Number(text)))
      throw new UsageError(`${pair} is not METRIC=NUMBER`);
    return [pair.slice(0, at), Number(text)];
  });
  return {
    host,
    metrics: Object.fromEntries(metrics),
    ...(options.time !== undefined && { timestamp: options.time }),
    ...(options.tags.length > 0 && { tags: Object.fromEntries(options.tags) }),
  };
}
