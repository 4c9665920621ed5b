/**
 * What Node is started with where a process is one service. A young generation that outlives the wait for an
 * acknowledgement: what is still in use then is copied, twice. And a heap that grows by as much as lives, in which no place in
 * the code is taken for one whose objects always live long.
 */
export const SERVICE_V8_OPTIONS = [
  '--max-semi-space-size=32',
  '--heap-growing-percent=100',
  '--no-allocation-site-pretenuring',
] as const;
