import { divideBlame } from '@tidewatch/domain/investigation/fleet/blame';
import { PARAMETERS, type RankingParameters } from '@tidewatch/domain/investigation/fleet/movement';
import type { Known } from './known.ts';
import { meanPlace, type Place, placeOf } from './place.ts';

const FLOORS = [0.0002, 0.0005, 0.001, 0.002];
const HALVES = [1, 2, 4, 8, 16];
const FLATS = [1, 3, 6];

export interface LeftOut {
  /** The scenario on which parameters were chosen. */
  readonly chosenOn: string;
  readonly testedOn: string;
  readonly parameters: RankingParameters;
  readonly place: Place;
  /**
   * The score above which the first suspect is named: half way between healthy windows and incidents of the other scenario.
   */
  readonly threshold: number;
  readonly named: number;
  readonly falselyNamed: number;
}

/** Chooses on each scenario the parameters with which the other is tested. */
export function leaveOneOut(cases: readonly Known[]): LeftOut[] {
  const scenarios = [...new Set(cases.map(({ scenario }) => scenario))];
  return scenarios.flatMap((testedOn) =>
    scenarios
      .filter((scenario) => scenario !== testedOn)
      .map((chosenOn): LeftOut => {
        const inside = cases.filter(({ scenario }) => scenario === chosenOn);
        const outside = cases.filter(({ scenario }) => scenario === testedOn);
        const parameters = best(inside);
        const threshold = between(inside, parameters);
        const above = outside.filter((one) => topBlame(one, parameters) > threshold);
        return {
          chosenOn,
          testedOn,
          parameters,
          threshold,
          place: placeWith(outside, parameters),
          named: above.filter(({ cause }) => cause !== null).length,
          falselyNamed: above.filter(({ cause }) => cause === null).length,
        };
      }),
  );
}

export interface Variation {
  readonly name: keyof RankingParameters;
  readonly value: number;
  readonly place: Place;
  /** The highest score of a first suspect in healthy windows. */
  readonly healthy: number;
}

/** The results when one parameter at a time is changed. */
export function sensitivity(cases: readonly Known[]): Variation[] {
  const vary = (name: keyof RankingParameters, values: readonly number[]) =>
    values.map((value): Variation => {
      const parameters = { ...PARAMETERS, [name]: value };
      const healthy = cases.filter(({ cause }) => cause === null);
      return {
        name,
        value,
        place: placeWith(cases, parameters),
        healthy: Math.max(...healthy.map((one) => topBlame(one, parameters))),
      };
    });
  return [
    ...vary('floorShare', [0.0001, ...FLOORS, 0.004]),
    ...vary('halfExcess', [0.5, ...HALVES, 32]),
    ...vary('flatExcess', [0.5, ...FLATS, 12]),
  ];
}

/** The parameters that rank the most causes first; of equal ones, the first. */
function best(cases: readonly Known[]): RankingParameters {
  const grid = FLOORS.flatMap((floorShare) =>
    HALVES.flatMap((halfExcess) => FLATS.map((flatExcess) => ({ floorShare, halfExcess, flatExcess }))),
  );
  const worth = ({ top1, top3, reciprocal }: Place) => 1e4 * top1 + 1e2 * top3 + reciprocal;
  return grid
    .map((parameters) => ({ parameters, worth: worth(placeWith(cases, parameters)) }))
    .reduce((most, one) => (one.worth > most.worth ? one : most)).parameters;
}

function placeWith(cases: readonly Known[], parameters: RankingParameters): Place {
  return meanPlace(
    cases.flatMap(({ facts, cause }) => {
      if (cause === null) return [];
      const suspects = divideBlame(facts, parameters)?.suspects ?? [];
      return [
        placeOf(new Map(suspects.map(({ host, blame }) => [host, blame])), cause, facts.peers.length + 1),
      ];
    }),
  );
}

function topBlame({ facts }: Known, parameters: RankingParameters): number {
  return divideBlame(facts, parameters)?.suspects[0]?.blame ?? 0;
}

function between(cases: readonly Known[], parameters: RankingParameters): number {
  const tops = (healthy: boolean) =>
    cases.filter(({ cause }) => (cause === null) === healthy).map((one) => topBlame(one, parameters));
  const highest = Math.max(0, ...tops(true));
  return (highest + Math.min(...tops(false).filter((top) => top > highest), 1)) / 2;
}
