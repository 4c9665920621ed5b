/** An installed library: its package, the patch that it reports, and the patch that this code needs. */
export interface PatchedLibrary {
  library: string;
  found: unknown;
  required: string;
}

/** Throws if a library was installed without its patch of `patches/`, or with another one. */
export function requirePatch({ library, found, required }: PatchedLibrary): void {
  if (found === required) return;
  const has = typeof found === 'string' ? `the patch "${found}"` : 'no patch';
  throw new Error(
    `The installed package ${library} has ${has}, and Tidewatch needs its patch "${required}" (patches/${library}+*.patch). ` +
      'Run "npm ci", with install scripts allowed, in the folder of Tidewatch; "npx patch-package" applies the patches alone.',
  );
}
