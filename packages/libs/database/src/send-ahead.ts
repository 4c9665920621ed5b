/**
 * Sends a statement without waiting for its result, so that it is sent together with the next one. If the connection is lost, the
 * next statement fails too and the caller may never await this one, so its rejection counts as handled.
 */
export function sendAhead<S extends Promise<unknown> & { execute(): S }>(statement: S): S {
  const sent = statement.execute();
  sent.catch(() => undefined);
  return sent;
}
