import type { ChildProcess } from 'node:child_process';

export const MAX_FOLDERS: number;
export function consoleFolder(root: string): string;
export function isBuilt(folder: string): boolean;
export function buildConsole(
  root: string,
  folder: string,
  node: string,
  inBackground?: boolean,
): { child: ChildProcess; done: Promise<{ ok: boolean; output: string }> };
export function removeOldFolders(folder: string, now: number): void;
export function wantsConsole(env: Readonly<Record<string, string | undefined>>): boolean;
