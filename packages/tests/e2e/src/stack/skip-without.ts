import { beforeEach, inject } from 'vitest';

/** Where the stack lacks a part, every scenario is skipped with the reason. */
beforeEach(({ skip }) => {
  const stack = inject('stack');
  if (stack?.control === null) skip(stack.lacks);
});
