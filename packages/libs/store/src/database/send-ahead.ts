/**
 * Sends a statement whose answer is waited for later, so that it travels with the next one. When the connection is
 * cut, the next one fails too and the caller may never come to wait: that is no rejection that nobody handles.
 */
export function sendAhead<S extends Promise<unknown> & { execute(): S }>(statement: S): S {
  const sent = statement.execute();
  sent.catch(() => undefined);
  return sent;
}
