import type { PointSink } from '../series/point-sink.ts';
import { parseJsonBody } from '../wire/parse-json-body.ts';
import { labelsOfTags, MAX_TAGS } from './datadog-series.ts';

/**
 * Takes the tags of the host from a body of `/intake/`, if it names both, as most of them do not. Throws `MalformedBodyError` if
 * it is no JSON.
 */
export function* decodeIntake(bytes: Buffer, sink: PointSink): Generator<undefined, void, undefined> {
  yield;
  const body = parseJsonBody(bytes) as Record<string, unknown> | null;
  const host = body?.['internalHostname'];
  const groups = body?.['host-tags'];
  if (typeof host !== 'string' || host === '' || groups === null || typeof groups !== 'object') return;
  const tags = Object.values(groups as object)
    .flat()
    .filter((tag): tag is string => typeof tag === 'string' && tag.isWellFormed())
    .slice(0, MAX_TAGS);
  sink.tagHost(host, labelsOfTags(tags));
}
