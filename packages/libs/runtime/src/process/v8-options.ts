/**
 * The options of Node for a process of one service. The young generation is large enough that payloads are acknowledged before
 * a collection would copy them. The heap grows in proportion to what is live, and V8 places no objects in the old generation
 * from the start.
 */
export const SERVICE_V8_OPTIONS = [
  '--max-semi-space-size=32',
  '--heap-growing-percent=100',
  '--no-allocation-site-pretenuring',
] as const;
