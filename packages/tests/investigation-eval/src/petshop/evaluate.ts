import { investigate } from '@tidewatch/domain/investigation/investigate';
import { Random } from '../random.ts';
import { recordedFacts } from '../recorded/facts.ts';
import { Recording } from '../recorded/recording.ts';
import type { Known } from './known.ts';
import { type LeftOut, leaveOneOut, sensitivity, type Variation } from './leave-one-out.ts';
import { METHODS } from './methods.ts';
import { interval, meanPlace, type Place, placeOf } from './place.ts';

export interface PetshopOptions {
  /** The recording's directory, with `cases.json`. */
  readonly directory: string;
  /** How many times the hosts are renamed at random. */
  readonly seeds: number;
  /** Whether to also choose parameters on one scenario and test them on the other, and to vary each alone. */
  readonly thorough: boolean;
}

export interface MethodFigures {
  readonly method: string;
  readonly all: Place;
  readonly byScenario: Readonly<Record<string, Place>>;
  /** The lowest and the highest top-1 share over the seeds. */
  readonly seeds: readonly [number, number];
  /** 95 % confidence intervals of the top-1 and top-3 shares over the cases. */
  readonly intervals: { readonly top1: readonly [number, number]; readonly top3: readonly [number, number] };
}

export interface PetshopFigures {
  readonly incidents: number;
  readonly healthy: number;
  readonly seeds: number;
  readonly methods: readonly MethodFigures[];
  /** Means over the seeds, for incidents and for healthy windows. */
  readonly named: number;
  readonly namedRightly: number;
  readonly falselyNamed: number;
  readonly leftOut: readonly LeftOut[];
  readonly variations: readonly Variation[];
}

/**
 * Investigates the recorded incidents as the product would, with hosts renamed and shuffled for each seed.
 * @returns null if the recording is not available
 */
export function evaluatePetshop({ directory, seeds, thorough }: PetshopOptions): PetshopFigures | null {
  const recording = Recording.open(directory);
  if (recording === null) return null;
  const runs = Array.from({ length: seeds }, (_, seed): Known[] => {
    const random = new Random(seed + 1);
    return recording.cases.map((one) => {
      const { facts, names } = recordedFacts(one, recording.payloads(one), random);
      const root = one.root_causes[0]?.host;
      return { scenario: one.scenario, facts, cause: root === undefined ? null : (names.get(root) ?? null) };
    });
  });
  const [first = []] = runs;
  const verdicts = runs.map((run) => run.map(verdictOf));
  const mean = (count: (verdict: Verdict) => boolean) =>
    verdicts.flat().filter(count).length / Math.max(1, seeds);
  return {
    incidents: first.filter(({ cause }) => cause !== null).length,
    healthy: first.filter(({ cause }) => cause === null).length,
    seeds,
    methods: METHODS.map(({ name, scores }) =>
      figuresOf(
        name,
        runs.map((run) =>
          run.flatMap((one) => (one.cause === null ? [] : [{ ...one, place: place(scores, one) }])),
        ),
      ),
    ),
    named: mean(({ named, healthy }) => named && !healthy),
    namedRightly: mean(({ right }) => right),
    falselyNamed: mean(({ named, healthy }) => named && healthy),
    leftOut: thorough ? leaveOneOut(first) : [],
    variations: thorough ? sensitivity(first) : [],
  };
}

interface Verdict {
  readonly named: boolean;
  readonly right: boolean;
  readonly healthy: boolean;
}

function verdictOf({ facts, cause }: Known): Verdict {
  const { conclusion, findings, rootCause } = investigate(facts);
  const named = conclusion === 'root_cause_found';
  const host = rootCause === null ? null : findings[rootCause]?.host;
  return { named, right: named && cause !== null && host === cause, healthy: cause === null };
}

function place(scores: (typeof METHODS)[number]['scores'], { facts, cause }: Known): Place {
  return placeOf(scores(facts), cause ?? '', facts.peers.length + 1);
}

type Placed = Known & { readonly place: Place };

function figuresOf(method: string, runs: readonly (readonly Placed[])[]): MethodFigures {
  const all = runs.flat();
  const byScenario = Object.groupBy(all, ({ scenario }) => scenario);
  const tops = runs.map((run) => meanPlace(run.map(({ place }) => place)).top1);
  const [cases = []] = runs;
  const random = new Random(1);
  const next = () => random.next();
  return {
    method,
    all: meanPlace(all.map(({ place }) => place)),
    byScenario: Object.fromEntries(
      Object.entries(byScenario).map(([name, part = []]) => [
        name,
        meanPlace(part.map(({ place }) => place)),
      ]),
    ),
    seeds: [Math.min(...tops), Math.max(...tops)],
    intervals: {
      top1: interval(
        cases.map(({ place }) => place.top1),
        next,
      ),
      top3: interval(
        cases.map(({ place }) => place.top3),
        next,
      ),
    },
  };
}
