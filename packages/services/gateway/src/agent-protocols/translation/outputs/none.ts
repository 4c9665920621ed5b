/** In place of the number of an output, part, contribution, computation or link where there is none. */
export const NONE = -1;

/** The number of no group of points. */
export const NO_GROUP = 0;
