export function patchState(root: string): { folders: string[]; wanted: string; isApplied: boolean };
export function applyPatches(root: string): boolean;
