import { join } from 'node:path';
import type { Part } from '../part.ts';
import { situationOf } from './candidates.ts';
import { causesOf, evaluateRecorded, type RecordedSet } from './evaluate.ts';
import { FIVE_MINUTES, ONE_MINUTE } from './facts.ts';
import { type RecordedCase, Recording } from './recording.ts';
import { recordedReport } from './report.ts';
import { showsOnCause } from './shows-on-cause.ts';

/** The part that evaluates recorded incidents of two applications, half of which show nowhere on their cause. */
export const nezha: Part = recordedPart('nezha', 'Nezha', nezhaSet);

/** The part that evaluates anomalies of single servers, of which experts named the metrics. */
export const servers: Part = recordedPart('servers', 'servers: metrics of single hosts', serversSet);

function nezhaSet(recording: Recording): RecordedSet {
  return {
    recording,
    of: 'hosts',
    timing: () => ONE_MINUTE,
    groupsOf: (one) =>
      causesOf(one, 'hosts').size === 0 ? [] : [visibility(recording, one), one.application ?? one.scenario],
  };
}

function serversSet(recording: Recording): RecordedSet {
  return {
    recording,
    of: 'metrics',
    timing: ({ application }) => (application === 'asd' ? FIVE_MINUTES : ONE_MINUTE),
    groupsOf: ({ application }) => (application === undefined ? [] : [application]),
  };
}

/** The rankings of the shop's hosts beside simple ones, in the same form as those of the other sets. */
export function petshopSet(recording: Recording): RecordedSet {
  return { recording, of: 'hosts', timing: () => FIVE_MINUTES, groupsOf: ({ scenario }) => [scenario] };
}

/** The sets of hosts and metrics whose recordings are in a directory, by name. */
export function recordedSets(data: string): { name: string; set: RecordedSet | null }[] {
  const setOf = (name: string, of: (recording: Recording) => RecordedSet) => {
    const recording = Recording.open(join(data, name));
    return { name, set: recording === null ? null : of(recording) };
  };
  return [setOf('petshop', petshopSet), setOf('nezha', nezhaSet), setOf('servers', serversSet)];
}

function recordedPart(key: string, name: string, setOf: (recording: Recording) => RecordedSet): Part {
  return {
    key,
    name,
    run({ data, renamings }, print) {
      const recording = Recording.open(join(data, key));
      if (recording === null) return null;
      const runs = evaluateRecorded(setOf(recording), renamings);
      print(recordedReport(runs));
      return runs;
    },
  };
}

function visibility(recording: Recording, one: RecordedCase): string {
  const { candidates } = situationOf(one, recording.payloads(one), 'hosts');
  const causes = causesOf(one, 'hosts');
  const shown = candidates.some((each) => causes.has(each.name) && showsOnCause(each));
  return shown ? 'seen on the cause' : 'not seen on the cause';
}
