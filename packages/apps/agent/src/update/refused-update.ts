/** An expected reason why the agent does not update itself; the message is for its operator. */
export class RefusedUpdateError extends Error {
  override readonly name = 'RefusedUpdateError';
}
