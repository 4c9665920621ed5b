import type { ServerResponse } from 'node:http';
import { type HttpReceiver, type Received, startHttpReceiver } from './http-receiver.ts';

export interface PagerdutyStandIn extends HttpReceiver {
  /** Incidents by their key: whether they are open, and the last payload that opened or changed them. */
  incidents: Map<string, { open: boolean; payload: Record<string, unknown> }>;
}

export const ROUTING_KEY = '0123456789abcdef0123456789abcdef';

/**
 * Starts a stand-in of PagerDuty's Events API v2 as it is documented: 202 for an event within the limits, otherwise 400
 * with the faults.
 */
export async function startPagerduty(): Promise<PagerdutyStandIn> {
  const incidents: PagerdutyStandIn['incidents'] = new Map();
  function answer(response: ServerResponse, { body }: Received): void {
    const event: Record<string, unknown> = JSON.parse(body);
    const errors = faultsOf(event, Buffer.byteLength(body));
    if (errors.length > 0) {
      const refusal = { status: 'invalid event', message: 'Event object is invalid', errors };
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal));
      return;
    }
    const key = String(event['dedup_key']);
    const incident = incidents.get(key);
    if (event['event_action'] === 'trigger')
      incidents.set(key, { open: true, payload: event['payload'] as Record<string, unknown> });
    else if (incident !== undefined) incident.open = false;
    const taken = { status: 'success', message: 'Event processed', dedup_key: key };
    response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify(taken));
  }
  return Object.assign(await startHttpReceiver(answer), { incidents });
}

function faultsOf(event: Record<string, unknown>, bytes: number): string[] {
  const faults: string[] = [];
  const must = (holds: boolean, fault: string) => {
    if (!holds) faults.push(fault);
  };
  const key = event['dedup_key'];
  must(bytes <= 512 * 1_024, 'event is larger than 512 KB');
  must(event['routing_key'] === ROUTING_KEY, "'routing_key' is invalid");
  must(
    ['trigger', 'acknowledge', 'resolve'].includes(String(event['event_action'])),
    "'event_action' is invalid",
  );
  must(typeof key === 'string' && key.length >= 1 && key.length <= 255, "'dedup_key' is invalid");
  if (event['event_action'] !== 'trigger') return faults;
  const payload = (event['payload'] ?? {}) as Record<string, unknown>;
  const { summary, source, severity, timestamp } = payload;
  must(
    typeof summary === 'string' && summary !== '' && summary.length <= 1_024,
    "'payload.summary' is invalid",
  );
  must(typeof source === 'string' && source !== '', "'payload.source' is missing or blank");
  must(['critical', 'error', 'warning', 'info'].includes(String(severity)), "'payload.severity' is invalid");
  must(
    timestamp === undefined || !Number.isNaN(Date.parse(String(timestamp))),
    "'payload.timestamp' is invalid",
  );
  const links = (event['links'] ?? []) as { href?: unknown }[];
  must(
    links.every(({ href }) => typeof href === 'string' && URL.canParse(href)),
    "'links' is invalid",
  );
  return faults;
}
