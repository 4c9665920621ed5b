import type { AlertReference } from '@tidewatch/store/investigations/open';
import { z } from 'zod';

/** A milder alert may have become one that is investigated. */
const TYPES: ReadonlySet<unknown> = new Set(['alert.fired', 'alert.escalated']);

const eventSchema = z.object({
  source: z.string().regex(/^\/tidewatch\/org_[0-9a-f]{32}$/),
  data: z.object({ alert: z.object({ id: z.string(), service_id: z.string() }) }),
});

/** The alert that an event says to fire; null of any other event. Throws where it should name one and does not. */
export function readFiredAlert(value: unknown): AlertReference | null {
  if (!TYPES.has((value as { type?: unknown } | null)?.type)) return null;
  const { source, data } = eventSchema.parse(value);
  return {
    organizationId: source.slice(source.lastIndexOf('/') + 1),
    id: data.alert.id,
    serviceId: data.alert.service_id,
  };
}
