import type { Marker } from '@tidewatch/contracts/markers/marker';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { Queryable } from '@tidewatch/database/connection';
import { actorAnswer } from '../audit/actor-answer.ts';

/** A row of `markers`. Times are ms. */
export interface MarkerRow {
  id: string;
  title: string;
  at: number;
  selector: Marker['selector'];
  tags: Marker['tags'];
  created_at: number;
  created_by: Actor;
}

/** The columns of MarkerRow from `markers m`. */
export function markerColumns(sql: Queryable) {
  return sql`m.id, m.title, m.at, m.selector, m.tags, m.created_at, m.created_by`;
}

/** A marker as the API returns it. */
export function markerAnswer(row: MarkerRow): Marker {
  return {
    id: row.id,
    title: row.title,
    at: toIso(row.at),
    selector: row.selector,
    tags: row.tags,
    created_at: toIso(row.created_at),
    created_by: actorAnswer(row.created_by),
  };
}
