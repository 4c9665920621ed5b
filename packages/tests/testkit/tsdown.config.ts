import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/start-tidewatch.ts', container: 'src/container.ts' },
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.3',
  // Generates declarations from each file alone, because TypeScript 7.0 lacks the compiler API.
  dts: { generator: 'oxc' },
  sourcemap: true,
  fixedExtension: false,
  // Bundles no other package.
  deps: { onlyBundle: [] },
  publint: { strict: true },
  attw: { profile: 'node16', level: 'error' },
});
