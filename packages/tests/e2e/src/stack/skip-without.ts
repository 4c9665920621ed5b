import { beforeEach, inject } from 'vitest';

/** The scenarios know nothing of parts; where the stack lacks one, each of them is skipped with the reason. */
beforeEach(({ skip }) => {
  const stack = inject('stack');
  if (stack?.control === null) skip(stack.lacks);
});
