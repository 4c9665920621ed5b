import type { Calibration } from '@tidewatch/domain/investigation/rank/calibration';

/** The findings of one investigation, reduced to the inputs of the ranking. */
export interface Example {
  /** The size of the symptom's change, 0 to 1. */
  readonly movement: number;
  readonly candidates: readonly {
    readonly hit: boolean;
    readonly findings: readonly { readonly detector: string; readonly logOdds: number }[];
  }[];
}

const ROUNDS = 400;
const RATE = 0.05;
/** How strongly fitting keeps weights near their initial values, per example. */
const HOLD = 0.002;
const MIN_SLOPE = 0.1;

/**
 * Fits the weights of the ranking by maximum likelihood: a conditional logit with "none of these" if no candidate is the
 * cause, by Adam (Kingma and Ba 2015), with a penalty for distance from the initial weights. In each round, the best
 * finding of each candidate is selected again.
 */
export function fit(examples: readonly Example[], start: Calibration): Calibration {
  const names = Object.keys(start.detectors);
  const initial = pack(start, names);
  const weights = Float64Array.from(initial);
  const first = new Float64Array(weights.length);
  const second = new Float64Array(weights.length);
  for (let round = 1; round <= ROUNDS; round++) {
    const gradient = gradientOf(examples, weights, names);
    for (let i = 0; i < weights.length; i++) {
      const slope =
        (gradient[i] as number) / examples.length - HOLD * ((weights[i] as number) - (initial[i] as number));
      first[i] = 0.9 * (first[i] as number) + 0.1 * slope;
      second[i] = 0.999 * (second[i] as number) + 0.001 * slope * slope;
      const step =
        (first[i] as number) /
        (1 - 0.9 ** round) /
        (Math.sqrt((second[i] as number) / (1 - 0.999 ** round)) + 1e-9);
      weights[i] = (weights[i] as number) + RATE * step;
    }
    for (let i = 1; i < 2 * names.length; i += 2) weights[i] = Math.max(MIN_SLOPE, weights[i] as number);
  }
  return unpack(weights, names, start);
}

function gradientOf(
  examples: readonly Example[],
  weights: Float64Array,
  names: readonly string[],
): Float64Array {
  const gradient = new Float64Array(weights.length);
  const at = 2 * names.length;
  for (const { movement, candidates } of examples) {
    const none = (weights[at + 1] as number) + (weights[at + 2] as number) * (1 - movement);
    const best = candidates.map(({ findings, hit }) => {
      let chosen = { utility: Number.NEGATIVE_INFINITY, index: -1, logOdds: 0 };
      for (const { detector, logOdds } of findings) {
        const index = 2 * names.indexOf(detector);
        if (index < 0) continue;
        const utility = (weights[index] as number) + (weights[index + 1] as number) * logOdds;
        if (utility > chosen.utility) chosen = { utility, index, logOdds };
      }
      const agreeing = new Set(findings.map(({ detector }) => detector)).size - 1;
      return { ...chosen, utility: chosen.utility + (weights[at] as number) * agreeing, agreeing, hit };
    });
    const known = best.filter(({ index }) => index >= 0);
    const most = Math.max(none, ...known.map(({ utility }) => utility));
    const total = known.reduce((sum, { utility }) => sum + Math.exp(utility - most), Math.exp(none - most));
    const hits = known
      .filter(({ hit }) => hit)
      .reduce((sum, { utility }) => sum + Math.exp(utility - most), 0);
    for (const { utility, index, logOdds, agreeing, hit } of known) {
      const probability = Math.exp(utility - most);
      const push = (hit && hits > 0 ? probability / hits : 0) - probability / total;
      gradient[index] = (gradient[index] as number) + push;
      gradient[index + 1] = (gradient[index + 1] as number) + push * logOdds;
      gradient[at] = (gradient[at] as number) + push * agreeing;
    }
    const push = (hits > 0 ? 0 : 1) - Math.exp(none - most) / total;
    gradient[at + 1] = (gradient[at + 1] as number) + push;
    gradient[at + 2] = (gradient[at + 2] as number) + push * (1 - movement);
  }
  return gradient;
}

function pack({ detectors, support, none }: Calibration, names: readonly string[]): number[] {
  return [
    ...names.flatMap((name) => [detectors[name]?.offset ?? 0, detectors[name]?.slope ?? 1]),
    support,
    none.base,
    none.unmoved,
  ];
}

function unpack(weights: Float64Array, names: readonly string[], start: Calibration): Calibration {
  const rounded = (index: number) => Number((weights[index] ?? 0).toFixed(3));
  const at = 2 * names.length;
  return {
    detectors: Object.fromEntries(
      names.map((name, nth) => [name, { offset: rounded(2 * nth), slope: rounded(2 * nth + 1) }]),
    ),
    others: start.others,
    support: rounded(at),
    none: { base: rounded(at + 1), unmoved: rounded(at + 2) },
  };
}
