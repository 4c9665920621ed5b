import { z } from 'zod';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { idQuery, timeQuery, windowInOrder } from '../queries/query.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { actorSchema } from '../values/actor.ts';
import { idSchema } from '../values/id.ts';

export const AUDIT_OBJECTS = [
  'rule',
  'channel',
  'silence',
  'key',
  'organization',
  'service',
  'alert',
  'notification',
  'investigation',
  'marker',
  'session',
  'sign_in_link',
] as const;

export const AUDIT_ACTIONS = [
  'rule.created',
  'rule.updated',
  'rule.deleted',
  'channel.created',
  'channel.updated',
  'channel.deleted',
  'channel.tested',
  'silence.created',
  'silence.deleted',
  'key.created',
  'key.updated',
  'key.rotated',
  'key.revoked',
  'organization.created',
  'service.deleted',
  'alert.acknowledged',
  'alert.commented',
  'alert.resolved',
  'notification.redelivered',
  'investigation.requested',
  'investigation.cancelled',
  'investigation.rated',
  'marker.created',
  'marker.deleted',
  'session.created',
  'session.confirmed',
  'session.ended',
  'sign_in_link.created',
] as const;

export type AuditObjectType = (typeof AUDIT_OBJECTS)[number];
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const MAX_ID = 100;

const stateSchema = (description: string) =>
  z
    .record(z.string(), z.unknown())
    .nullable()
    .meta({ description, examples: [{ name: 'CPU high', threshold: 90 }] });

export const auditRecordSchema = z
  .object({
    id: idSchema('aud'),
    at: timestampSchema,
    actor: actorSchema,
    action: z.enum(AUDIT_ACTIONS).meta({ examples: ['rule.updated'] }),
    object: z
      .object({
        type: z.enum(AUDIT_OBJECTS).meta({ examples: ['rule'] }),
        id: z.string().meta({ examples: ['rul_0197f3a1c0de7b3c9a51d2e4f6a80b1c'] }),
        name: z.string().meta({ description: 'Its name at that time.', examples: ['CPU high'] }),
      })
      .meta({ description: 'What was changed.' }),
    ip: z
      .string()
      .nullable()
      .meta({ description: 'Where the request came from.', examples: ['203.0.113.7'] }),
    before: stateSchema(
      'What it was: of an object that goes on, the fields that changed; null where it is new. Secrets are masked. Of more than 16 KiB the smaller fields are kept, and `_truncated` has the size of all in `bytes` and the names of the others in `fields`.',
    ),
    after: stateSchema('What it became, in the same way; null where it is gone.'),
  })
  .meta({ id: 'AuditRecord', description: 'Who changed what, and from where. Never changed itself.' });

export type AuditRecord = z.infer<typeof auditRecordSchema>;

export const auditPageSchema = z
  .object({ audit: z.array(auditRecordSchema), pagination: paginationSchema })
  .meta({ id: 'AuditPage', description: 'Records of the audit log, newest first.' });

export const auditQuerySchema = z
  .object({
    ...pageQuery,
    action: z.enum(AUDIT_ACTIONS).optional().meta({ description: 'Only records of this action.' }),
    object_type: z
      .enum(AUDIT_OBJECTS)
      .optional()
      .meta({ description: 'Only changes of this kind of object.' }),
    object_id: idQuery(MAX_ID, 'Only changes of the object with this id.'),
    key_id: idQuery(MAX_ID, 'Only what the key with this id did.'),
    from: timeQuery('Only records at or after this time.'),
    to: timeQuery('Only records before this time.'),
  })
  .check(cursorOrOffset, windowInOrder);

export type AuditQuery = z.output<typeof auditQuerySchema>;
