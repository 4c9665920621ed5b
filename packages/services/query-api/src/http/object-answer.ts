import type { Route } from '@tidewatch/contracts/document/route';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { type FieldSelection, pickFields } from '@tidewatch/contracts/queries/fields';
import type { Call } from './call.ts';
import { sendTagged } from './entity-tag.ts';
import type { Handler } from './mount-routes.ts';

/** A handler that answers an object with its entity tag, or only its requested fields; 404 if `read` returns null. */
export function answerObject<R extends Route, T extends object>(
  read: (call: Call<R>, id: string) => Promise<T | null>,
  versionOf: (object: T) => number | null = () => null,
): Handler<R> {
  return async (call) => {
    const { id } = call;
    const { fields } = call.query as unknown as { fields?: FieldSelection };
    const object = found(await read(call, id));
    sendTagged(call.request, call.response, pickFields(object, fields), versionOf(object));
  };
}

/** The value; throws a 404 if it is null. */
export function found<T>(value: T | null): T {
  if (value === null) throw new ProblemError('not_found');
  return value;
}
