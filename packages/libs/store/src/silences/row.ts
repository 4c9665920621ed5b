import { setImmediate } from 'node:timers/promises';
import type { Silence, SilenceMatchers } from '@tidewatch/contracts/silences/silence';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { Queryable } from '@tidewatch/database/connection';
import { CompiledSilence, type SilenceTerms } from '@tidewatch/domain/silence/silence';
import { actorAnswer } from '../audit/actor-answer.ts';

/** A row of `silences`. Times are ms. */
export interface SilenceRow {
  organization_id: string;
  id: string;
  matchers: SilenceMatchers;
  from_at: number;
  until_at: number;
  recurrence: string | null;
  timezone: string;
  comment: string;
  ends_at: number;
  created_at: number;
  created_by: Actor;
  ended_at: number | null;
}

/** The columns of SilenceRow from `silences s`. */
export function silenceColumns(sql: Queryable) {
  return sql`s.organization_id, s.id, s.matchers, s.from_at, s.until_at, s.recurrence, s.timezone, s.comment, s.ends_at,
    s.created_at, s.created_by, s.ended_at`;
}

/**
 * Recently compiled silences by their terms. Each caches its current window, which is slow to compute for recurring
 * silences.
 */
const compiled = new Map<string, CompiledSilence>();
const MAX_COMPILED = 10_000;

/** The compiled silence of a row; equal terms return the same object, with its cached window. */
export function compileSilence(row: SilenceRow): CompiledSilence {
  const { organization_id, id, matchers, from_at, until_at, recurrence, timezone, ends_at, ended_at } = row;
  const key = JSON.stringify([
    organization_id,
    id,
    matchers,
    from_at,
    until_at,
    recurrence,
    timezone,
    ends_at,
    ended_at,
  ]);
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const made = newlyCompiled(row);
  if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value as string);
  compiled.set(key, made);
  return made;
}

/**
 * Computes the state of each silence at `now` (ms), and yields to the event loop between them, since recurring silences
 * take milliseconds.
 */
export async function prepareSilences(silences: Iterable<CompiledSilence>, now: number): Promise<void> {
  let since = performance.now();
  for (const silence of silences) {
    silence.stateAt(now);
    if (performance.now() - since < MAX_TURN_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}

/** The time after which the computation of silences yields to the event loop, ms. */
const MAX_TURN_MS = 5;

function newlyCompiled(row: SilenceRow): CompiledSilence {
  const terms: SilenceTerms = {
    id: row.id,
    organizationId: row.organization_id,
    matchers: row.matchers,
    from: row.from_at,
    until: row.until_at,
    recurrence: row.recurrence,
    timezone: row.timezone,
    endsAt: row.ends_at,
    endedAt: row.ended_at ?? Number.POSITIVE_INFINITY,
  };
  return new CompiledSilence(terms);
}

/** A silence as the API returns it and events contain it, with its status at `now` (ms). */
export function silenceAnswer(row: SilenceRow, now: number): Silence {
  // Restores the order of fields, since PostgreSQL sorts the members of stored JSON by length.
  const { hosts, tags, rule_ids, severities, subjects } = row.matchers;
  return {
    id: row.id,
    matchers: { hosts, tags, rule_ids, severities, subjects },
    from: toIso(row.from_at),
    until: toIso(row.until_at),
    recurrence: row.recurrence,
    timezone: row.timezone,
    comment: row.comment,
    status: compileSilence(row).stateAt(now).status,
    created_at: toIso(row.created_at),
    created_by: actorAnswer(row.created_by),
  };
}
