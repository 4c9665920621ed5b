import type { Place } from '../petshop/place.ts';

export interface PropagationFigures {
  readonly method: string;
  readonly all: Place;
  /** By kind of the fault and how many calls it lies below the front end (3 is 3 or more). */
  readonly groups: Readonly<Record<string, { readonly incidents: number; readonly place: Place }>>;
}
