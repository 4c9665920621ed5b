import type { Place } from '../petshop/place.ts';

export interface PropagationFigures {
  readonly method: string;
  readonly all: Place;
  /** Results by kind of fault and by the number of calls between the front end and the fault (3 stands for 3 or more). */
  readonly groups: Readonly<Record<string, { readonly incidents: number; readonly place: Place }>>;
}
