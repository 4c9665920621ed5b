import type { z } from 'zod';

/** Adds a fault to the value that a schema checks, or to its member at `path`, with the code that problem documents show. */
export function addFault(
  context: Pick<z.RefinementCtx, 'addIssue'>,
  code: string,
  message: string,
  path: PropertyKey[] = [],
): void {
  context.addIssue({ code: 'custom', path, message, params: { code } });
}
