import type { AlertReference } from '@tidewatch/store/investigations/open';
import { z } from 'zod';

/** An escalated alert may have reached the minimum severity of investigations. */
const TYPES: ReadonlySet<unknown> = new Set(['alert.fired', 'alert.escalated']);

const eventSchema = z.object({
  source: z.string().regex(/^\/tidewatch\/org_[0-9a-f]{32}$/),
  data: z.object({ alert: z.object({ id: z.string(), service_id: z.string() }) }),
});

/** Reads the alert from an event that it fired or escalated; null for other events. Throws for an event of another form. */
export function readFiredAlert(value: unknown): AlertReference | null {
  if (!TYPES.has((value as { type?: unknown } | null)?.type)) return null;
  const { source, data } = eventSchema.parse(value);
  return {
    organizationId: source.slice(source.lastIndexOf('/') + 1),
    id: data.alert.id,
    serviceId: data.alert.service_id,
  };
}
