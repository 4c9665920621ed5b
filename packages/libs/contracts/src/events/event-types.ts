export const ALERT_EVENTS = [
  'alert.fired',
  'alert.escalated',
  'alert.flapping',
  'alert.resolved',
  'alert.renotified',
  'alert.acknowledged',
  'alert.silence_ended',
] as const;
/** A digest of several alerts of one rule. Only channels receive it, because each alert also has an event of its own. */
export const DIGEST_EVENTS = ['alert.digest'] as const;
export const SERVICE_EVENTS = [
  'service.registered',
  'service.offline',
  'service.online',
  'service.archived',
  'service.deleted',
] as const;
export const RULE_EVENTS = ['rule.created', 'rule.updated', 'rule.deleted'] as const;
export const NOTIFICATION_EVENTS = ['notification.failed'] as const;

export const SILENCE_EVENTS = ['silence.created', 'silence.ended'] as const;

export const CHANNEL_EVENTS = ['channel.created', 'channel.updated', 'channel.deleted'] as const;

export const KEY_EVENTS = ['key.created', 'key.rotated', 'key.revoked'] as const;

/** Events about the progress of an investigation; `progressed` contains the findings of one detector. */
export const INVESTIGATION_EVENTS = [
  'investigation.started',
  'investigation.progressed',
  'investigation.completed',
  'investigation.failed',
  'investigation.cancelled',
] as const;

/** Events about the evaluation lag of the whole installation, emitted to every organization. */
export const PIPELINE_EVENTS = ['pipeline.delayed', 'pipeline.recovered'] as const;

/** Every type of event, in the order in which the document lists them. */
export const EVENT_TYPES = [
  ...ALERT_EVENTS,
  ...DIGEST_EVENTS,
  ...SERVICE_EVENTS,
  ...RULE_EVENTS,
  ...INVESTIGATION_EVENTS,
  ...SILENCE_EVENTS,
  ...CHANNEL_EVENTS,
  ...NOTIFICATION_EVENTS,
  ...KEY_EVENTS,
  ...PIPELINE_EVENTS,
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
