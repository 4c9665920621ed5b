import { TRANSITIONS, type Transition } from '@tidewatch/contracts/channels/notice-events';
import { SEVERITIES, type Severity } from '@tidewatch/contracts/values/severity';
import { SUBJECT_KINDS, type Subject } from '@tidewatch/contracts/values/subject';
import { z } from 'zod';

const ALERT_TRANSITIONS = TRANSITIONS.filter((transition) => transition !== 'digest');

const TRANSITION_OF = new Map<string, NoticeTransition>(
  ALERT_TRANSITIONS.map((transition) => [`alert.${transition}`, transition]),
);

export type NoticeTransition = Exclude<Transition, 'digest'>;

/** Schema of the fields of an event that planning reads; the event itself is passed on unchanged. */
const eventSchema = z.object({
  id: z.string().regex(/^evt_[0-9a-f]{32}$/),
  source: z.string().regex(/^\/tidewatch\/org_[0-9a-f]{32}$/),
  time: z.iso.datetime(),
  data: z.object({
    alert: z.object({
      id: z.string(),
      rule_id: z.string(),
      service_id: z.string(),
      subject: z.object({ kind: z.enum(SUBJECT_KINDS), name: z.string() }),
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

/** An event of which channels may be notified. */
export interface NoticeEvent {
  id: string;
  organizationId: string;
  transition: NoticeTransition;
  /** When the event was emitted, ms. */
  at: number;
  alert: z.infer<typeof eventSchema>['data']['alert'] & { subject: Subject };
  /** The severity that flaps, for an event about flapping; otherwise null. */
  flappingSeverity: Severity | null;
  /** The unchanged event. */
  event: object;
  /** The size of the event as JSON, bytes. */
  bytes: number;
}

/** Reads an event of the topic. Returns null if channels are not notified of its type; throws if the event is invalid. */
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
