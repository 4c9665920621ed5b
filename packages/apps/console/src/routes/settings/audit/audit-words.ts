import type { components } from '@tidewatch/api-client/generated/api';
import type { PageName } from '@tidewatch/contracts/console/paths';

export type AuditRecord = components['schemas']['AuditRecord'];
export type AuditAction = AuditRecord['action'];
export type AuditObjectType = AuditRecord['object']['type'];

/** Every action, as a verb with its object, such as "changed the rule". */
export const ACTION_WORDS: Readonly<Record<AuditAction, string>> = {
  'rule.created': 'created the rule',
  'rule.updated': 'changed the rule',
  'rule.deleted': 'deleted the rule',
  'channel.created': 'created the channel',
  'channel.updated': 'changed the channel',
  'channel.deleted': 'deleted the channel',
  'channel.tested': 'tested the channel',
  'silence.created': 'created the silence',
  'silence.deleted': 'ended the silence',
  'key.created': 'created the key',
  'key.updated': 'changed the key',
  'key.rotated': 'rotated the key',
  'key.revoked': 'revoked the key',
  'organization.created': 'created the organization',
  'service.deleted': 'deleted the host',
  'alert.acknowledged': 'acknowledged the alert',
  'alert.commented': 'commented on the alert',
  'alert.resolved': 'resolved the alert',
  'notification.redelivered': 'sent again the notification',
  'investigation.requested': 'started the investigation',
  'investigation.cancelled': 'cancelled the investigation',
  'investigation.rated': 'rated the investigation',
  'marker.created': 'set the marker',
  'marker.deleted': 'deleted the marker',
  'session.created': 'signed in to the session',
  'session.confirmed': 'confirmed the session',
  'session.ended': 'ended the session',
  'sign_in_link.created': 'created the sign-in link',
};

/** Every kind of object. */
export const OBJECT_WORDS: Readonly<Record<AuditObjectType, string>> = {
  rule: 'rules',
  channel: 'channels',
  silence: 'silences',
  key: 'keys',
  organization: 'organizations',
  service: 'hosts',
  alert: 'alerts',
  notification: 'notifications',
  investigation: 'investigations',
  marker: 'markers',
  session: 'sessions',
  sign_in_link: 'sign-in links',
};

/** The page of an object of each kind that has one. */
export const OBJECT_PAGES: Readonly<Partial<Record<AuditObjectType, PageName>>> = {
  rule: 'rule',
  channel: 'channel',
  key: 'key',
  service: 'host',
  alert: 'alert',
  investigation: 'investigation',
};

export function isAction(text: string | undefined): text is AuditAction {
  return text !== undefined && Object.hasOwn(ACTION_WORDS, text);
}

export function isObjectType(text: string | undefined): text is AuditObjectType {
  return text !== undefined && Object.hasOwn(OBJECT_WORDS, text);
}
