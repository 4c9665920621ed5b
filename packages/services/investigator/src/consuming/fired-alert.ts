import type { AlertReference } from '@tidewatch/store/investigations/open';
import { z } from 'zod';

/** The events that may open an investigation; an escalated alert may have reached the minimum severity. */
const TYPES: ReadonlySet<unknown> = new Set(['alert.fired', 'alert.escalated']);

const eventSchema = z.object({
  source: z.string().regex(/^\/tidewatch\/org_[0-9a-f]{32}$/),
  data: z.object({ alert: z.object({ id: z.string(), service_id: z.string() }) }),
});

/** Reads the alert from an `alert.fired` or `alert.escalated` event; null for other types. Throws for an invalid event. */
export function readFiredAlert(value: unknown): AlertReference | null {
  if (!TYPES.has((value as { type?: unknown } | null)?.type)) return null;
  const { source, data } = eventSchema.parse(value);
  return {
    organizationId: source.slice(source.lastIndexOf('/') + 1),
    id: data.alert.id,
    serviceId: data.alert.service_id,
  };
}
