import { SUBSCRIBED_EVENTS } from '@tidewatch/contracts/channels/channel-config';
import type { EventType } from '@tidewatch/contracts/events/event-types';
import { z } from 'zod';

const SUBSCRIBED: ReadonlySet<unknown> = new Set(SUBSCRIBED_EVENTS);

const eventSchema = z.object({
  id: z.string().regex(/^evt_[0-9a-f]{32}$/),
  source: z.string().regex(/^\/tidewatch\/org_[0-9a-f]{32}$/),
});

/** An event that webhooks hear of by having asked for its type. */
export interface SubscribedEvent {
  id: string;
  organizationId: string;
  type: EventType;
  /** As it came. */
  event: object;
}

/** Reads an event of the topic: null where it is none to be subscribed to. Throws where it should be one and is not. */
export function readSubscribedEvent(value: unknown): SubscribedEvent | null {
  const type = (value as { type?: unknown } | null)?.type;
  if (!SUBSCRIBED.has(type)) return null;
  const { id, source } = eventSchema.parse(value);
  const organizationId = source.slice(source.lastIndexOf('/') + 1);
  return { id, organizationId, type: type as EventType, event: value as object };
}
