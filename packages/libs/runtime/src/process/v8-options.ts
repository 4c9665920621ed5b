/**
 * Node options for the process of one service: a young generation large enough that payloads are acknowledged before a
 * collection would copy them, heap growth in proportion to live data, and no allocation directly in the old generation.
 */
export const SERVICE_V8_OPTIONS = [
  '--max-semi-space-size=32',
  '--heap-growing-percent=100',
  '--no-allocation-site-pretenuring',
] as const;
