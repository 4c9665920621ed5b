import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: 'src/index.ts',
  format: ['esm', 'cjs'],
  platform: 'node',
  target: 'node20.3',
  // From each file alone, without the compiler, whose API TypeScript 7.0 lacks.
  dts: { generator: 'oxc' },
  sourcemap: true,
  fixedExtension: false,
  // The client is published as one package. These dependencies are ECMAScript modules for newer versions of Node, or behave
  // differently with require(); THIRD-PARTY-LICENSES has their licences.
  deps: { onlyBundle: ['eventsource-parser', 'openapi-fetch', 'openapi-typescript-helpers'] },
  publint: { strict: true },
  attw: { profile: 'strict', level: 'error' },
});
