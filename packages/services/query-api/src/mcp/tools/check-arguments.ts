import { type Fault, validationProblem } from '@tidewatch/contracts/problems/problem';
import type { InputSchema } from './input-schema.ts';
import type { ToolArguments } from './tool.ts';

const MAX_NAMED = 10;

/** Returns the arguments of a tool. Throws 422 for unknown and missing ones; their values are checked by the API. */
export function checkArguments(schema: InputSchema, given: unknown): ToolArguments {
  const checked = (given ?? {}) as ToolArguments;
  if (typeof checked !== 'object' || Array.isArray(checked))
    throw validationProblem([fault('', 'wrong_type', 'The arguments must be an object.')]);
  const known = Object.keys(schema.properties);
  const unknown = schema['additionalProperties']
    ? []
    : Object.keys(checked).filter((name) => !known.includes(name));
  const taken = known.length === 0 ? 'the tool takes none' : `there are ${known.join(', ')}`;
  const missing = schema.required.filter((name) => checked[name] === undefined || checked[name] === null);
  const faults = [
    ...unknown
      .slice(0, MAX_NAMED)
      .map((name) => fault(name.slice(0, 100), 'unknown_field', `Is not an argument: ${taken}.`)),
    ...missing.map((name) => fault(name, 'required', 'Is required.')),
  ];
  if (faults.length > 0) throw validationProblem(faults);
  return checked;
}

function fault(name: string, code: string, message: string): Fault {
  return { in: 'body', path: name === '' ? '' : `/${name}`, code, message };
}
