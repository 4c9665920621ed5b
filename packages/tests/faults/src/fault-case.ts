import type { SmallDisk } from '@tidewatch/harness/small-disk';
import type { Answers } from './harness/answers.ts';
import type { Installation, InstallationShape } from './harness/installation.ts';
import type { Load } from './harness/load.ts';
import type { Parts } from './harness/parts.ts';
import type { ShiftedClock } from './harness/shifted-clock.ts';

/** The context of a case: an installation under load. */
export interface FaultContext {
  parts: Parts;
  installation: Installation;
  load: Load;
  random(): number;
  /** Returns how often a case repeats its fault: `some` times in the short selection, otherwise `all` times. */
  times(some: number, all: number): number;
  /** Records that a fault happened; a case whose failpoints did not fire has failed. */
  fired(failpoint: string): void;
  /** Adds a line to the report of the case. */
  note(text: string): void;
  /** Records that are going to be in the dead letters. */
  expectDeadLetters(count: number): void;
  /** The clock of all services, the disks of Kafka and PostgreSQL: only for cases that need them. */
  clock: ShiftedClock;
  disks: { kafka: SmallDisk; postgres: SmallDisk };
  /** The proxy that can lose answers; only for cases whose load goes through it. */
  answers: Answers;
}

export type Need = 'clock' | 'disks';

/** A fault, and what must hold in spite of it. */
export interface FaultCase {
  /** `2`, `5c`, in the order of the catalogue. */
  id: string;
  fault: string;
  /** Names that must have been passed to `fired`. */
  failpoints: readonly string[];
  needs?: readonly Need[];
  shape?: InstallationShape;
  /** Separate parts, since it breaks them for others. */
  ownParts?: boolean;
  /** The load reaches the gateway through a proxy that can lose answers. */
  throughProxy?: boolean;
  /** Causes the fault under load; throws where another expectation fails. */
  run(context: FaultContext): Promise<void>;
  /** Done when everything was compared and found right, with nothing under way any more. */
  afterwards?(
    aftermath: Pick<FaultContext, 'installation' | 'fired' | 'note'> & {
      /** Everything that is wrong now, in words. */
      compareAgain(): Promise<string[]>;
    },
  ): Promise<void>;
}
