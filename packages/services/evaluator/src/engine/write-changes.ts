import type { Transaction } from '@tidewatch/database/connection';
import { insertTransitions } from '@tidewatch/store/alerts/transitions';
import { insertAlerts, updateAlerts } from '@tidewatch/store/alerts/write';
import type { AlertRow } from '@tidewatch/store/alerts/write-row';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import { writeArchived } from '@tidewatch/store/health/archive';
import { type ServiceHealthWrite, writeServiceHealth } from '@tidewatch/store/health/write';
import { appendEvents, type OutboxEntry } from '@tidewatch/store/outbox/append';
import {
  type ClockStepWrite,
  deleteClockSteps,
  upsertClockSteps,
} from '@tidewatch/store/rule-states/clock-steps';
import { type StoredFlaps, upsertFlaps } from '@tidewatch/store/rule-states/flaps';
import { addActivity, deleteStates, type StateWrite, upsertStates } from '@tidewatch/store/rule-states/write';
import type { Changes, StagedEvent } from '../evaluation/changes.ts';
import { alertEvent, type EventStamp, healthEvent } from '../events/build.ts';
import { refreshHealth } from '../health/service-health.ts';
import type { AlertInstance } from '../memory/alert-instance.ts';
import { flapKey, type MonitoredHost } from '../memory/monitored-host.ts';
import { storedKey } from '../memory/stream-name.ts';

/** Max rows of one statement: building it takes milliseconds, after which the event loop continues. */
const ROWS_OF_A_STATEMENT = 200;

export interface WriteContext extends EventStamp {
  usualIntervalMs(serviceId: string): number;
  /** Whether a silence mutes the whole host. */
  isSilenced(service: MonitoredHost): boolean;
  /** Rules evaluated since the last flush, with their organization. */
  evaluated: ReadonlyMap<string, string>;
  turn: Turn;
}

/** Stores all changes of a transaction, in few statements for each table, and marks them as stored. */
export async function writeChanges(tx: Transaction, changes: Changes, context: WriteContext): Promise<void> {
  const { turn } = context;
  const rows = [...changes.newAlerts.values()];
  const updates = [...changes.changedAlerts.values()];
  const { present, absent } = splitInstances(changes.instances);
  const health: ServiceHealthWrite[] = [];
  for (const service of changes.services) {
    const write = refreshHealth(
      service,
      context.usualIntervalMs(service.serviceId),
      context.isSilenced(service),
      context.now,
    );
    if (write) health.push(write);
    if (turn.isOver) await turn.yieldWhenDue();
  }
  const returned = alertsToReturn(changes);
  const updated = new Map<string, AlertRow>();
  await inOneFlight(turn, [
    ...inParts(updates, async (part) => {
      for (const row of await updateAlerts(tx, part, returned)) updated.set(row.id, row);
    }),
    ...inParts(rows, (part) => insertAlerts(tx, part)),
    ...inParts(absent, (part) => deleteStates(tx, part.map(keyOf))),
    ...inParts(present, (part) => upsertStates(tx, part.map(stateOf))),
    ...inParts(distinct(changes.flapped), (part) => upsertFlaps(tx, part.map(flapsOf))),
    ...inParts(clockSteps(changes), (part) => upsertClockSteps(tx, part)),
    ...inParts(endedClockSteps(changes), (part) => deleteClockSteps(tx, part)),
    ...inParts(activities(changes, context), (part) => addActivity(tx, part)),
    ...inParts(health, (part) => writeServiceHealth(tx, part)),
    ...inParts([...changes.archived], (part) => writeArchived(tx, part)),
  ]);
  // Leaves out alerts that users have resolved meanwhile.
  const steps = changes.steps.filter(({ alertId }) => changes.newAlerts.has(alertId) || updated.has(alertId));
  await inOneFlight(turn, [
    ...inParts(steps, (part) => insertTransitions(tx, part)),
    ...inParts(changes.events, (part) => appendEvents(tx, eventsOf(part, context, updated))),
  ]);
}

/** Returns the alerts with a transition or an event, whose rows are read back. */
function alertsToReturn({ steps, events }: Changes): Set<string> {
  const ids = new Set(steps.map(({ alertId }) => alertId));
  for (const event of events) if ('alertId' in event) ids.add(event.alertId);
  return ids;
}

/**
 * Sends all statements, which run in order, before it waits for results. Throws the first failure once all have settled.
 */
async function inOneFlight(turn: Turn, statements: readonly (() => Promise<void>)[]): Promise<void> {
  const settled: Promise<{ error: unknown } | null>[] = [];
  for (const send of statements) {
    settled.push(
      send().then(
        () => null,
        (error: unknown) => ({ error }),
      ),
    );
    if (turn.isOver) await turn.yieldWhenDue();
  }
  for (const failure of await Promise.all(settled)) if (failure !== null) throw failure.error;
}

/** Splits rows into statements that stay within the time limit, in the order of the rows. */
function inParts<T>(
  rows: readonly T[],
  write: (part: readonly T[]) => Promise<void>,
): (() => Promise<void>)[] {
  const parts: (() => Promise<void>)[] = [];
  for (let start = 0; start < rows.length; start += ROWS_OF_A_STATEMENT) {
    parts.push(() => write(rows.slice(start, start + ROWS_OF_A_STATEMENT)));
  }
  return parts;
}

function splitInstances(instances: ReadonlySet<AlertInstance>): {
  present: AlertInstance[];
  absent: AlertInstance[];
} {
  const present: AlertInstance[] = [];
  const absent: AlertInstance[] = [];
  for (const instance of instances) {
    instance.dirty = false;
    instance.storedAt = instance.evaluatedAt;
    if (instance.phase !== null) present.push(instance);
    else if (instance.stored) absent.push(instance);
    instance.stored = instance.phase !== null;
  }
  // Streams become idle only now, after their alert instances were deleted from the store.
  const streams = new Set<AlertInstance['stream']>();
  for (const { phase, stream } of instances) if (phase === null) streams.add(stream);
  for (const stream of streams) stream.becomeIdle();
  return { present, absent };
}

function keyOf({ rule, service, stream }: AlertInstance) {
  return {
    organizationId: service.organizationId,
    ruleId: rule.id,
    serviceId: service.serviceId,
    subject: stream.subject,
  };
}

function flapsOf(instance: AlertInstance): StoredFlaps {
  const key = keyOf(instance);
  return {
    ...key,
    log: instance.service.flaps.get(flapKey(key.ruleId, key.subject)) ?? { flaps: [], flapping: null },
  };
}

function clockSteps({ stepped }: Changes): ClockStepWrite[] {
  return [...stepped].flatMap(({ organizationId, serviceId, clockStep, offset }) =>
    clockStep === null
      ? []
      : [
          {
            organizationId,
            serviceId,
            newestBefore: clockStep.newestBefore,
            evaluatedUntil: offset.newest,
            movedByMs: clockStep.movedByMs,
          },
        ],
  );
}

function endedClockSteps({ stepped }: Changes): { org: string; id: string }[] {
  const ended = [...stepped].filter(({ clockStep }) => clockStep === null);
  return ended.map(({ organizationId, serviceId }) => ({ org: organizationId, id: serviceId }));
}

/** Removes duplicates: in one transaction, an alert instance of a subject may have been created again. */
function distinct(flapped: Iterable<AlertInstance>): AlertInstance[] {
  const byKey = new Map<string, AlertInstance>();
  for (const instance of flapped) {
    const { rule, service, stream } = instance;
    byKey.set(`${service.serviceId}/${flapKey(rule.id, stream.subject)}`, instance);
  }
  return [...byKey.values()];
}

function stateOf(instance: AlertInstance): StateWrite {
  const stream = storedKey(instance.stream.key);
  const { alertId, opened } = instance;
  return {
    ...keyOf(instance),
    stream,
    alertId,
    opened,
    ...(instance.state as NonNullable<AlertInstance['state']>),
  };
}

function activities(changes: Changes, { evaluated, now }: WriteContext) {
  const ids = new Set([...evaluated.keys(), ...changes.ruleCounts.keys()]);
  return [...ids].map((ruleId) => {
    const counts = changes.ruleCounts.get(ruleId);
    const organizationId = counts?.organizationId ?? (evaluated.get(ruleId) as string);
    const evaluatedAt = evaluated.has(ruleId) ? now : null;
    return {
      organizationId,
      ruleId,
      pending: counts?.pending ?? 0,
      firing: counts?.firing ?? 0,
      evaluatedAt,
    };
  });
}

/** Leaves out alerts that users have resolved meanwhile: no row of theirs was updated. */
function eventsOf(
  events: readonly StagedEvent[],
  stamp: EventStamp,
  updated: ReadonlyMap<string, AlertRow>,
): OutboxEntry[] {
  const entries: OutboxEntry[] = [];
  for (const event of events) {
    if ('service' in event) {
      entries.push(healthEvent(stamp, event.kind, event.service));
      continue;
    }
    const row = 'row' in event ? event.row : updated.get(event.alertId);
    if (row) entries.push(alertEvent(stamp, event, row));
  }
  return entries;
}
