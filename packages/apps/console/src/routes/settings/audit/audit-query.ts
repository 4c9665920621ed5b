import type { PageSearch } from '@tidewatch/contracts/console/paths';
import { timeOf } from '../../../chart/data/range.ts';
import { type AuditAction, type AuditObjectType, isAction, isObjectType } from './audit-words.ts';

type AuditSearch = PageSearch<'audit'>;

interface AuditQuery {
  action?: AuditAction;
  object_type?: AuditObjectType;
  object_id?: string;
  key_id?: string;
  from?: string;
  to?: string;
}

/** What the API is asked for by the parameters of the page. `object` is a kind of object, or the id of one. */
export function auditQuery({ action, actor, object, from, to }: AuditSearch, now: number): AuditQuery {
  return {
    ...(isAction(action) && { action }),
    ...(isObjectType(object) ? { object_type: object } : object !== undefined && { object_id: object }),
    ...(actor !== undefined && { key_id: actor }),
    ...(from !== undefined && { from: new Date(timeOf(from, now)).toISOString() }),
    ...(to !== undefined && { to: new Date(timeOf(to, now)).toISOString() }),
  };
}
