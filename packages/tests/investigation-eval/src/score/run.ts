import { KINDS } from '../kinds/kinds.ts';
import { type SeedSet, settingsOf } from '../settings.ts';
import { investigate, type Outcome } from './outcome.ts';

export interface Run {
  readonly set: SeedSet;
  /** The number of incidents of each kind for each combination of noise, interval and delay. */
  readonly seeds: number;
  /** The number of the first seed; 1 by default. */
  readonly firstSeed?: number;
  /** If set, only kinds of incidents whose names contain this text are run. */
  readonly only?: string;
  /** The clock in ms; of CPU time if available. */
  readonly clock: () => number;
}

/** The same incidents in a quiet and an unquiet fleet, and in windows that begin in the midst of the trouble. */
const VARIANTS = [{}, { unquiet: true }, { view: 'amid the trouble' }, { view: 'new host' }] as const;

/** Investigates all incidents of a run, one after the other. */
export function runKinds({ set, seeds, firstSeed, only, clock }: Run): Outcome[] {
  return KINDS.flatMap((kind, nth) =>
    only !== undefined && !kind.name.includes(only)
      ? []
      : VARIANTS.flatMap((variant) =>
          settingsOf(set, nth, seeds, firstSeed, variant).map((setting) => investigate(kind, setting, clock)),
        ),
  );
}
