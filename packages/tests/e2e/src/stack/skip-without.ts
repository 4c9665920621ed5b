import { beforeEach, inject } from 'vitest';

/** Skips every scenario with the reason if the stack cannot be started. */
beforeEach(({ skip }) => {
  const stack = inject('stack');
  if (stack?.control === null) skip(stack.lacks);
});
