import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import {
  type MetricLatest,
  readSamplesSince,
  type StaleInstance,
} from '@tidewatch/store/rule-states/restore';
import type { AlertInstance } from '../alert-instance.ts';
import type { EvaluatedService } from '../evaluated-service.ts';
import type { Stream } from '../stream.ts';

/** A host that was read from the store. */
export interface RestoredService {
  service: EvaluatedService;
  /** Latest stored value of each stream, by the name of the stream. */
  metrics: ReadonlyMap<string, MetricLatest>;
  /** The newest sample time that may count as evaluated, ms. */
  evaluatedUntil: number;
}

/** The number of streams whose windows are read by one query. */
const STREAMS_AT_ONCE = 50;

/**
 * Applies stored samples that are newer than the stored state. Since a transition would have been stored, they change only
 * value, peak and time.
 */
export async function catchUp(sql: Sql, restored: readonly RestoredService[], turn: Turn): Promise<void> {
  // Alert instances stored at the same time share one read.
  const stale: (StaleInstance & { instances: AlertInstance[] })[] = [];
  for (const { service, metrics, evaluatedUntil } of restored) {
    for (const [name, stream] of service.streams) {
      const latest = metrics.get(name);
      if (!latest) continue;
      const { blockId, slot, latestAt } = latest;
      const alike = new Map<number, AlertInstance[]>();
      for (const instance of stream.instances) {
        const { evaluatedAt, phase } = instance;
        if (phase === null || latestAt === null || latestAt <= evaluatedAt) continue;
        const known = alike.get(evaluatedAt);
        if (known) known.push(instance);
        else alike.set(evaluatedAt, [instance]);
      }
      for (const [evaluatedAt, instances] of alike) {
        // Leaves out samples that the writer, as another process, has stored since its position was read: these are not
        // evaluated yet.
        const until = Math.max(evaluatedAt, Math.min(evaluatedUntil, latestAt ?? evaluatedAt));
        stale.push({ instances, blockId, slot, evaluatedAt, until });
      }
      if (turn.isOver) await turn.yieldWhenDue();
    }
  }
  for (const { place, time, value } of await readSamplesSince(sql, stale)) {
    for (const instance of stale[place]?.instances ?? []) {
      follow(instance, time, value);
      if (turn.isOver) await turn.yieldWhenDue();
    }
  }
}

/**
 * Fills the windows of derived streams from stored samples that count as evaluated, and updates their alert instances.
 */
export async function rebuildWindows(
  sql: Sql,
  restored: readonly RestoredService[],
  turn: Turn,
): Promise<void> {
  const bases: (StaleInstance & { base: Stream })[] = [];
  for (const { service, metrics, evaluatedUntil } of restored) {
    for (const [name, base] of service.streams) {
      const latest = metrics.get(name);
      if (base.derived.length === 0 || !latest || latest.latestAt === null) continue;
      const until = Math.min(evaluatedUntil, latest.latestAt);
      const { blockId, slot } = latest;
      bases.push({ base, blockId, slot, evaluatedAt: until - widthOf(base), until });
    }
  }
  for (let start = 0; start < bases.length; start += STREAMS_AT_ONCE) {
    const part = bases.slice(start, start + STREAMS_AT_ONCE);
    for (const { place, time, value } of await readSamplesSince(sql, part)) {
      for (const stream of part[place]?.base.derived ?? []) takeIn(stream, time, value);
      if (turn.isOver) await turn.yieldWhenDue();
    }
  }
  for (const { base } of bases) for (const stream of base.derived) stream.settle();
}

/** Adds a value to a derived stream’s window and applies the derived value to its alert instances. */
export function takeIn(stream: Stream, time: number, value: number): void {
  const derived = stream.window?.take(time, value) ?? null;
  if (derived === null) return;
  for (const instance of stream.instances) if (time > instance.evaluatedAt) follow(instance, time, derived);
}

/** Returns the longest window derived from a stream, ms. */
function widthOf(base: Stream): number {
  return Math.max(...base.derived.map((stream) => stream.window?.overMs ?? MINUTE_MS));
}

/** Applies a value that caused no transition, which changes only value, peak and time. */
export function follow(instance: AlertInstance, time: number, value: number): void {
  const { state, rule } = instance;
  if (!state || time <= state.evaluatedAt) return;
  const isPeak =
    state.state === 'pending' || state.peakValue === null || rule.levels[0].isWorse(value, state.peakValue);
  instance.state = { ...state, evaluatedAt: time, value, peakValue: isPeak ? value : state.peakValue };
}
