import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: { index: 'src/start-tidewatch.ts', container: 'src/container.ts' },
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.3',
  // From each file alone, without the compiler, whose API TypeScript 7.0 lacks.
  dts: { generator: 'oxc' },
  sourcemap: true,
  fixedExtension: false,
  // Nothing of another package.
  deps: { onlyBundle: [] },
  publint: { strict: true },
  attw: { profile: 'node16', level: 'error' },
});
