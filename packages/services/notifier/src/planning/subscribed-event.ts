import { SUBSCRIBED_EVENTS } from '@tidewatch/contracts/channels/notice-events';
import type { EventType } from '@tidewatch/contracts/events/event-types';
import { z } from 'zod';

const SUBSCRIBED: ReadonlySet<unknown> = new Set(SUBSCRIBED_EVENTS);

const eventSchema = z.object({
  id: z.string().regex(/^evt_[0-9a-f]{32}$/),
  source: z.string().regex(/^\/tidewatch\/org_[0-9a-f]{32}$/),
});

/** An event that is delivered to the webhooks that subscribed to its type. */
export interface SubscribedEvent {
  id: string;
  organizationId: string;
  type: EventType;
  /** The unchanged event. */
  event: object;
}

/** Reads an event of the topic. Returns null if its type cannot be subscribed to; throws if the event is invalid. */
export function readSubscribedEvent(value: unknown): SubscribedEvent | null {
  const type = (value as { type?: unknown } | null)?.type;
  if (!SUBSCRIBED.has(type)) return null;
  const { id, source } = eventSchema.parse(value);
  const organizationId = source.slice(source.lastIndexOf('/') + 1);
  return { id, organizationId, type: type as EventType, event: value as object };
}
