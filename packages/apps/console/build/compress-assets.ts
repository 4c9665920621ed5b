import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

/** Min size of files that are compressed, bytes: smaller ones fit into two packets anyway. */
export const MIN_COMPRESSED = 2_048;

/** Writes each asset of a build compressed beside it, as .br and .gz: the server does not compress responses itself. */
export function compressAssets(): Plugin {
  return {
    name: 'tidewatch-compress-assets',
    apply: 'build',
    writeBundle: {
      sequential: true,
      async handler({ dir = '' }) {
        for await (const name of glob('assets/*.{js,css,svg}', { cwd: dir })) {
          const file = join(dir, name);
          const body = await readFile(file);
          if (body.length < MIN_COMPRESSED) continue;
          const quality = {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
              [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
            },
          };
          await writeFile(`${file}.br`, await promisify(brotliCompress)(body, quality));
          await writeFile(`${file}.gz`, await promisify(gzip)(body, { level: 9 }));
        }
      },
    },
  };
}
