/**
 * Sends a statement without waiting for its result, so that it is sent together with the next one. Its rejection counts as
 * handled: after a lost connection the next statement fails too, and this one may never be awaited.
 */
export function sendAhead<S extends Promise<unknown> & { execute(): S }>(statement: S): S {
  const sent = statement.execute();
  sent.catch(() => undefined);
  return sent;
}
