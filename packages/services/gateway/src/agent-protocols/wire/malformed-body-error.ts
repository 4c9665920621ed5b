/** The bytes of a body are not what its type says, so that nothing of it can be taken. The message says where and what is allowed. */
export class MalformedBodyError extends Error {
  override name = 'MalformedBodyError';
}
