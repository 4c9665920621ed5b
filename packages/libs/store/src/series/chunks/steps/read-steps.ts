import type { Queryable } from '@tidewatch/database/connection';
import { Turn } from '../../../event-loop/turn.ts';
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
import { type LogPlaces, logPlacesOf } from '../stored/block-places.ts';
import { readColumns } from '../stored/read-columns.ts';
import { GrowingSteps, mergeInto, stepsOf } from './step-columns.ts';
import { readStepSource } from './step-source.ts';

/** Reads the steps of places that have values. */
export async function readSteps<P extends Place>(
  tx: Queryable,
  places: readonly P[],
  request: StepsRequest,
  known?: KnownBlocks,
): Promise<Map<P, Steps>> {
  return await stepsByPlace(tx, places, request, known, (gathered) => gathered.steps());
}

/** Reads the means of the same steps. */
export async function readMeans<P extends Place>(
  tx: Queryable,
  places: readonly P[],
  request: StepsRequest,
  known?: KnownBlocks,
): Promise<Map<P, StepMeans>> {
  return await stepsByPlace(tx, places, request, known, (gathered) => gathered.means());
}

async function stepsByPlace<P extends Place, R>(
  tx: Queryable,
  places: readonly P[],
  request: StepsRequest,
  known: KnownBlocks | undefined,
  resultOf: (gathered: GrowingSteps) => R,
): Promise<Map<P, R>> {
  const { tier, from, to, stepMs, retained } = request;
  const range = { from, to };
  const found = new Map<P, R>();
  if (places.length === 0 || from >= to) return found;
  const addSteps = await readAdding(tx, places, request, range, known ?? logPlacesOf(places));
  const mayBeLate = tier !== 'raw' && from < retained.raw;
  const spans = places.map(({ blockId, slot }) => ({ blockId, slot, from, to }));
  const late = mayBeLate ? await readBackfilled(tx, spans) : null;
  const turn = new Turn();
  const gathered = new GrowingSteps();
  for (const [index, place] of places.entries()) {
    gathered.clear();
    addSteps(gathered, place);
    if (late !== null) mergeInto(gathered, stepsOf(late[index] as Samples, stepMs));
    if (gathered.length > 0) found.set(place, resultOf(gathered));
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return found;
}

/** Reads what steps are computed from; what it returns adds the steps of a place. */
async function readAdding(
  tx: Queryable,
  places: readonly Place[],
  { tier, stepMs, retained }: StepsRequest,
  range: Range,
  known: KnownBlocks | LogPlaces | undefined,
): Promise<(into: GrowingSteps, place: Place) => void> {
  const wanted = places.map(({ blockId, slot }) => ({ blockId, ...range, mask: 1 << slot }));
  if (tier !== 'raw') {
    const source = await readStepSource(tx, wanted, { tier, retained }, known);
    return (into, { blockId, slot }) => source.addSteps(into, blockId, slot, range, stepMs);
  }
  const columns = await readColumns(tx, wanted, known);
  return (into, { blockId, slot }) => {
    into.addSamples(columns.of(blockId).view(slot, range), stepMs);
  };
}
