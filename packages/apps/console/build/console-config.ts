import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { InlineConfig } from 'vite';
import { compressAssets } from './compress-assets.ts';

/** The folder of the package, with index.html. */
export const CONSOLE_FOLDER = fileURLToPath(new URL('..', import.meta.url));

/** The oldest supported browsers (docs/console.md): syntax that they understand is not rewritten. */
const BROWSERS = ['chrome130', 'firefox132', 'safari18'];

/** Vite's configuration of the console; `outDir` is where a build goes. */
export function consoleConfig(outDir: string): InlineConfig {
  return {
    configFile: false,
    root: CONSOLE_FOLDER,
    cacheDir: fileURLToPath(new URL('../../../../node_modules/.cache/tidewatch/vite', import.meta.url)),
    plugins: [react(), compressAssets()],
    css: { transformer: 'lightningcss', modules: { generateScopedName: '[name]-[local]-[hash:base64:5]' } },
    worker: { format: 'es' },
    build: {
      outDir,
      emptyOutDir: true,
      manifest: true,
      target: BROWSERS,
      cssTarget: BROWSERS,
      cssMinify: 'lightningcss',
      // Files embedded as data: URLs would need "data:" in the content security policy.
      assetsInlineLimit: 0,
      // The polyfill is for browsers that the console does not support.
      modulePreload: { polyfill: false },
      // What the first page needs is one script and one style, however many pages share parts of it.
      rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'console', tags: ['$initial'] }] } } },
      reportCompressedSize: false,
    },
  };
}
