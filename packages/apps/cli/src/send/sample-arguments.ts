import type { Payload } from '@tidewatch/api-client/ingest';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';

/** Builds a payload from a host and values such as `cpu_percent=93.5`. Throws UsageError. */
export function readSample(
  host: string,
  values: readonly string[],
  options: { tags: readonly (readonly [string, string])[]; time?: string | undefined },
): Payload {
  if (values.length === 0) throw new UsageError('a sample needs a metric value, such as cpu_percent=93.5');
  const metrics = values.map((value): [string, number] => {
    const at = value.lastIndexOf('=');
    const text = value.slice(at + 1);
    if (at < 1 || text.trim() === '' || !Number.isFinite(Number(text)))
      throw new UsageError(`${value} is not METRIC=NUMBER, such as cpu_percent=93.5`);
    return [value.slice(0, at), Number(text)];
  });
  return {
    host,
    metrics: Object.fromEntries(metrics),
    ...(options.time !== undefined && { timestamp: options.time }),
    ...(options.tags.length > 0 && { tags: Object.fromEntries(options.tags) }),
  };
}
