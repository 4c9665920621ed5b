import { type IngestWarning, MAX_WARNINGS } from '@tidewatch/contracts/ingest/ingest-warning';
import type { DecodedBody } from './decoded-body.ts';

const EMPTY =
  'The payload has no metrics, containers, processes or parts: it counts as a heartbeat of its host.';

/** The warnings of a body: at most `MAX_WARNINGS`, payloads without metrics first. */
export function warningsOf({ payloads, at, warnings }: DecodedBody): IngestWarning[] {
  let empty: IngestWarning | undefined;
  for (const [index, { metrics, containers, processes, parts, processCounts }] of payloads.entries()) {
    if (metrics.length > 0 || containers?.length || processes?.length || parts || processCounts) continue;
    if (empty === undefined)
      empty = { code: 'empty_metrics', path: `${at[index]}/metrics`, payloads: 1, message: EMPTY };
    else empty.payloads += 1;
  }
  return empty === undefined ? warnings : [empty, ...warnings].slice(0, MAX_WARNINGS);
}
