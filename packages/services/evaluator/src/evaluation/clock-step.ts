import type { EvaluatedService } from '../memory/evaluated-service.ts';
import type { ClockStep } from '../memory/monitored-host.ts';
import { shiftTimes } from '../memory/shift-times.ts';
import type { Changes } from './changes.ts';

/**
 * Moves the times of a host to its present clock, which shows `service.newestInRequest`, and stages all that is moved: after
 * a restart nothing else says by which clock a stored time was.
 */
export function applyClockStep(changes: Changes, service: EvaluatedService, step: ClockStep): void {
  const { clockStep: earlier } = service;
  shiftTimes(service, step.movedByMs, service.newestInRequest);
  service.clockStep = {
    newestBefore: Math.max(step.newestBefore, earlier?.newestBefore ?? step.newestBefore),
    movedByMs: step.movedByMs + (earlier?.movedByMs ?? 0),
  };
  changes.clockSteps += 1;
  changes.stepped.add(service);
  for (const { instances } of service.streams.values())
    for (const instance of instances) if (instance.phase !== null) changes.instances.add(instance);
}

/** Stages how far a host is evaluated since its clock was set back, or that it has reached the time before that again. */
export function continueClockStep(changes: Changes, service: EvaluatedService): void {
  if (service.offset.newest >= (service.clockStep?.newestBefore ?? 0)) service.clockStep = null;
  changes.stepped.add(service);
}
