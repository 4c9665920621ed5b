import { readFile } from 'node:fs/promises';
import { openStore } from '@tidewatch/database/connection';
import { expect, it } from 'vitest';
import type { StorageBackendName } from '../backends/storage-backend.ts';
import { describeSchema, readMajorVersion } from './description/describe-schema.ts';
import type { EmptyDatabase } from './earlier-schema.contract.ts';
import { migrate } from './migrate.ts';

const PLAIN = new URL('../../schema/plain.sql', import.meta.url);

/**
 * Compares a migrated database with the checked-in descriptions: `schema/plain.sql` is whole, and those of the other storage
 * backends hold what differs from it. To write the descriptions again after a change:
 * `npm test -- packages/libs/store/src/schema/ --update`.
 */
export function itHasTheDescribedSchema(
  backend: StorageBackendName,
  postgresVersion: number,
  startEmpty: () => Promise<EmptyDatabase>,
): void {
  it(`has the schema that schema/${backend}.sql describes once it is migrated with the storage backend ${backend}`, async (context) => {
    const database = await startEmpty();
    const { sql, close } = openStore({ url: database.adminUrl, searchPath: 'public', max: 2 });
    try {
      const version = await readMajorVersion(sql);
      if (version !== postgresVersion)
        context.skip(`PostgreSQL ${version} words definitions otherwise than ${postgresVersion}`);
      await migrate(sql, { backend });
      const objects = await describeSchema(sql);
      const title = `-- What the migrations make with the storage backend ${backend}, as PostgreSQL ${postgresVersion} words it. Written by a test.`;
      const texts = backend === 'plain' ? [title, ...objects] : [title, ...(await differences(objects))];
      await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(`../../schema/${backend}.sql`);
    } finally {
      await close();
      await database.close();
    }
  });
}

/** The objects that plain.sql lacks or words otherwise, after the first lines of those that only plain.sql has in that wording. */
async function differences(objects: readonly string[]): Promise<string[]> {
  const [, ...plain] = (await readFile(PLAIN, 'utf8')).trimEnd().split('\n\n');
  const replaced = plain.filter((object) => !objects.includes(object));
  return [
    ['-- All of plain.sql holds but these:', ...replaced.map((object) => `-- ${firstLine(object)}`)].join(
      '\n',
    ),
    ...objects.filter((object) => !plain.includes(object)),
  ];
}

function firstLine(object: string): string {
  return object.split('\n', 1)[0] ?? '';
}
