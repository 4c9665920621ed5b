import type { SentSeries } from '../../series/sent-series.ts';

/** What identifies a container or process on its host, and what is said of it beside numbers. */
export interface SubjectIdentity {
  /** An id, or the name where there is none. */
  key: string;
  name: string;
  /** The process id; 0 where it is not known. */
  pid?: number;
  id?: string;
  image?: string;
  status?: string;
}

/** Which number of a container or process a series gives. */
export interface SubjectField {
  field: string;
  /** Of several series that give one number, those with the lowest rank count; 0 by default. */
  rank?: number;
  /** What values are multiplied by. */
  scale?: number;
  /** Whether it is a counter, where the protocol does not say; its rate per second is the value. */
  isCounter?: boolean;
  /** Labels over whose values it is summed up. */
  over?: readonly string[];
  /** Chooses by labels, in place of `field` and `rank`. */
  choose?(series: SentSeries): { field: string; rank: number } | 'omit';
}

/** How the series of one kind of agent become the containers, or the processes, of a host. */
export interface SubjectFamily {
  name: string;
  kind: 'container' | 'process';
  /**
   * Whether all of a host come at one time: a list is those that have a value then. Of the others each has times of its own, so that it
   * stays in the list for a minute.
   */
  isAtOnce: boolean;
  matches(series: SentSeries): boolean;
  /** Undefined for a series that is of no single container or process. */
  identify(series: SentSeries): SubjectIdentity | undefined;
  /** The series that are taken, by their names; all others are left out. */
  fields: Readonly<Record<string, SubjectField>>;
}
