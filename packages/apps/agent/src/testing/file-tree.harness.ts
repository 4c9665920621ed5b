import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder in place of `/` that tests fill with files of /proc and /sys. */
export interface FileTree {
  root: string;
  procRoot: string;
  sysRoot: string;
  /** Writes files by their paths below the folder. */
  write(files: Readonly<Record<string, string>>): void;
  /** Makes symbolic links, by path and target. */
  link(links: Readonly<Record<string, string>>): void;
  remove(): void;
}

export function openFileTree(): FileTree {
  const root = mkdtempSync(join(tmpdir(), 'tidewatch-tree-'));
  const make = (path: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    return join(root, path);
  };
  return {
    root,
    procRoot: join(root, 'proc'),
    sysRoot: join(root, 'sys'),
    write(files) {
      for (const [path, text] of Object.entries(files)) writeFileSync(make(path), text);
    },
    link(links) {
      for (const [path, target] of Object.entries(links)) symlinkSync(target, make(path));
    },
    remove: () => rmSync(root, { recursive: true }),
  };
}
