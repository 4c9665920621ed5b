declare module 'postject' {
  /** Adds a resource to an executable file, in place. */
  export function inject(
    path: string,
    resource: string,
    data: Uint8Array,
    options: { sentinelFuse: string; machoSegmentName?: string },
  ): Promise<void>;
}
