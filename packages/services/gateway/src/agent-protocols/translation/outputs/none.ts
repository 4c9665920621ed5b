/** In place of the number of an output, part, contribution, computation or link where there is none. */
export const NONE = -1;
