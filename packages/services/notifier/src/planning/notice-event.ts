import { TRANSITIONS, type Transition } from '@tidewatch/contracts/channels/channel-config';
import { SEVERITIES, type Severity } from '@tidewatch/contracts/values/severity';
import type { Subject } from '@tidewatch/contracts/values/subject';
import { z } from 'zod';

const TOLD = TRANSITIONS.filter((transition) => transition !== 'digest');

const TRANSITION_OF = new Map<string, NoticeTransition>(
  TOLD.map((transition) => [`alert.${transition}`, transition]),
);

export type NoticeTransition = Exclude<Transition, 'digest'>;

/** What is planned by; the rest of the event goes on as it came. */
const eventSchema = z.object({
  id: z.string().regex(/^evt_[0-9a-f]{32}$/),
  source: z.string().regex(/^\/tidewatch\/org_[0-9a-f]{32}$/),
  time: z.iso.datetime(),
  data: z.object({
    alert: z.object({
      id: z.string(),
      rule_id: z.string(),
      service_id: z.string(),
      subject: z.object({ kind: z.enum(['host', 'container', 'process']), name: z.string() }),
      host: z.string(),
      metric: z.string(),
      severity: z.enum(SEVERITIES),
      silenced_by: z.string().nullable(),
      backfilled: z.boolean(),
      shadow: z.boolean(),
    }),
    flapping_severity: z.enum(SEVERITIES).optional(),
  }),
});

/** An event that people may have to be told of. */
export interface NoticeEvent {
  id: string;
  organizationId: string;
  transition: NoticeTransition;
  /** When it was decided, ms. */
  at: number;
  alert: z.infer<typeof eventSchema>['data']['alert'] & { subject: Subject };
  /** What flaps, where the event says that something does. */
  flappingSeverity: Severity | null;
  /** As it came. */
  event: object;
  /** Of the event as JSON. */
  bytes: number;
}

/** Reads an event of the topic: null where it is none to be told of. Throws where it should be one and is not. */
export function readNoticeEvent(value: unknown): NoticeEvent | null {
  const type = (value as { type?: unknown } | null)?.type;
  const transition = typeof type === 'string' ? TRANSITION_OF.get(type) : undefined;
  if (transition === undefined) return null;
  const { id, source, time, data } = eventSchema.parse(value);
  return {
    id,
    organizationId: source.slice(source.lastIndexOf('/') + 1),
    transition,
    at: Date.parse(time),
    alert: data.alert,
    flappingSeverity: data.flapping_severity ?? null,
    event: value as object,
    bytes: Buffer.byteLength(JSON.stringify(value)),
  };
}
