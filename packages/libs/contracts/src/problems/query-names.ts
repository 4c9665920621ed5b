import { nearMiss } from './near-miss.ts';
import { type Fault, jsonPointer } from './problem.ts';
import { MAX_FAULTS } from './validation.ts';

/** Parameters that some endpoints have; at other endpoints, they are not treated as misspelt. */
const OF_SOME = new Set(['as_of', 'fields', 'format', 'sort']);
const MAX_SHOWN = 100;

/** A fault for each parameter that is not one of `taken`, because a response that ignores a parameter would be wrong. */
export function unknownParameters(given: readonly string[], taken: readonly string[]): Fault[] {
  return given
    .filter((name) => !taken.includes(name))
    .slice(0, MAX_FAULTS)
    .map((name): Fault => {
      const path = jsonPointer([name.slice(0, MAX_SHOWN)]);
      const allowed =
        taken.length === 0 ? 'The endpoint takes no parameters.' : `The endpoint takes ${taken.join(', ')}.`;
      if (OF_SOME.has(name))
        return { in: 'query', path, code: 'unsupported', message: `Is not supported here. ${allowed}` };
      const meant = nearMiss(name, taken);
      const question = meant === undefined ? '' : ` Did you mean ${meant}?`;
      return {
        in: 'query',
        path,
        code: 'unknown_parameter',
        message: `Is not a parameter.${question} ${allowed}`,
      };
    });
}
