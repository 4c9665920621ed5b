import type { SmallDisk } from '@tidewatch/harness/small-disk';
import type { Answers } from './harness/answers.ts';
import type { Installation, InstallationShape } from './harness/installation.ts';
import type { Load } from './harness/load.ts';
import type { Parts } from './harness/parts.ts';
import type { ShiftedClock } from './harness/shifted-clock.ts';

/** What a fault case works with: an installation under load. */
export interface FaultContext {
  parts: Parts;
  installation: Installation;
  load: Load;
  random(): number;
  /** Returns how often a case repeats its fault: `some` times in the short selection, otherwise `all` times. */
  times(some: number, all: number): number;
  /** Records that a fault happened; a case whose failpoints did not fire has failed. */
  fired(failpoint: string): void;
  /** Adds a line to the report. */
  note(text: string): void;
  /** Announces this number of dead letters, which the comparison then expects. */
  expectDeadLetters(count: number): void;
  /** The clock of all services and the disks of Kafka and PostgreSQL, for cases that need them. */
  clock: ShiftedClock;
  disks: { kafka: SmallDisk; postgres: SmallDisk };
  /** The proxy that can lose responses, for cases whose load goes through it. */
  answers: Answers;
}

export type Need = 'clock' | 'disks';

/** A fault, with the expectations that must hold in spite of it. */
export interface FaultCase {
  /** The number of the case in the catalogue, such as `2` or `5c`. */
  id: string;
  fault: string;
  /** The failpoints that must be passed to `fired`. */
  failpoints: readonly string[];
  needs?: readonly Need[];
  shape?: InstallationShape;
  /** Whether the case needs servers of its own, because its fault would affect other cases. */
  ownParts?: boolean;
  /** Whether the load reaches the gateway through a proxy that can lose responses. */
  throughProxy?: boolean;
  /** Causes the fault under load; throws if an expectation of the case fails. */
  run(context: FaultContext): Promise<void>;
  /** Runs after everything was compared and found right, when the installation is idle. */
  afterwards?(
    aftermath: Pick<FaultContext, 'installation' | 'fired' | 'note'> & {
      /** Compares again; returns descriptions of everything that is wrong. */
      compareAgain(): Promise<string[]>;
    },
  ): Promise<void>;
}
