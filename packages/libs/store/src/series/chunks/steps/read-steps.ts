import type { Queryable } from '@tidewatch/database/connection';
import { Turn } from '../../../event-loop/turn.ts';
import { meansOf } from '../../rows/merge-steps.ts';
import { readBackfilled } from '../../rows/samples.ts';
import type {
  KnownBlocks,
  Place,
  Range,
  Samples,
  StepMeans,
  Steps,
  StepsRequest,
} from '../../series-columns.ts';
import { readColumns } from '../stored/read-columns.ts';
import { mergeSteps, stepsOf } from './step-columns.ts';
import { readStepSource } from './step-source.ts';

/** Reads the steps of places that have values. */
export async function readSteps<P extends Place>(
  tx: Queryable,
  places: readonly P[],
  request: StepsRequest,
  known?: KnownBlocks,
): Promise<Map<P, Steps>> {
  return await stepsByPlace(tx, places, request, known, (steps) => steps);
}

/** Reads the means of the same steps. */
export async function readMeans<P extends Place>(
  tx: Queryable,
  places: readonly P[],
  request: StepsRequest,
  known?: KnownBlocks,
): Promise<Map<P, StepMeans>> {
  return await stepsByPlace(tx, places, request, known, meansOf);
}

async function stepsByPlace<P extends Place, R>(
  tx: Queryable,
  places: readonly P[],
  request: StepsRequest,
  known: KnownBlocks | undefined,
  resultOf: (steps: Steps) => R,
): Promise<Map<P, R>> {
  const { tier, from, to, stepMs, retained } = request;
  const range = { from, to };
  const found = new Map<P, R>();
  if (places.length === 0 || from >= to) return found;
  const stepsAt = await readStepsAt(tx, places, request, range, known);
  const mayBeLate = tier !== 'raw' && from < retained.raw;
  const spans = places.map(({ blockId, slot }) => ({ blockId, slot, from, to }));
  const late = mayBeLate ? await readBackfilled(tx, spans) : null;
  const turn = new Turn();
  for (const [index, place] of places.entries()) {
    const own = stepsAt(place);
    const steps = late === null ? own : mergeSteps(own, stepsOf(late[index] as Samples, stepMs));
    if (steps.at.length > 0) found.set(place, resultOf(steps));
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return found;
}

async function readStepsAt(
  tx: Queryable,
  places: readonly Place[],
  { tier, stepMs, retained }: StepsRequest,
  range: Range,
  known: KnownBlocks | undefined,
): Promise<(place: Place) => Steps> {
  const wanted = places.map(({ blockId, slot }) => ({ blockId, ...range, mask: 1 << slot }));
  if (tier !== 'raw') {
    const source = await readStepSource(tx, wanted, { tier, retained }, known);
    return ({ blockId, slot }) => source.steps(blockId, slot, range, stepMs);
  }
  const columns = await readColumns(tx, wanted, known);
  return ({ blockId, slot }) => {
    const own = columns.get(blockId);
    return stepsOf(own === undefined ? NOTHING : own.samples(slot, range), stepMs);
  };
}

const NOTHING: Samples = { times: new Float64Array(), values: new Float64Array() };
