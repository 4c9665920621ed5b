import { expect, it } from 'vitest';
import {
  fileFaults,
  MAX_FIRST_PAGE,
  MAX_ROUTE,
  MAX_STYLES,
  type Manifest,
  sizeFaults,
} from './console-sizes.ts';

const MANIFEST: Manifest = {
  'index.html': {
    file: 'assets/index.js',
    isEntry: true,
    imports: ['_shared.js'],
    css: ['assets/index.css'],
  },
  '_shared.js': { file: 'assets/shared.js', css: ['assets/shared.css'] },
  'src/routes/alerts/alert-page.tsx': {
    file: 'assets/alert.js',
    imports: ['index.html', '_shared.js', '_chart.js'],
    dynamicImports: ['_dialog.js'],
    css: ['assets/shared.css', 'assets/alert.css'],
  },
  '_chart.js': { file: 'assets/chart.js' },
  '_dialog.js': { file: 'assets/dialog.js' },
};

const faults = (sizes: Record<string, number>) => sizeFaults(MANIFEST, (file) => sizes[file] ?? 0);

it.each([
  [
    'the first page with what it imports',
    { 'assets/index.js': MAX_FIRST_PAGE, 'assets/shared.js': 1 },
    'scripts of the first page: 150.0 kB',
  ],
  [
    'a route with what it alone imports',
    { 'assets/alert.js': MAX_ROUTE, 'assets/chart.js': 100 },
    'further scripts of src/routes/alerts/alert-page.tsx: 60.1 kB',
  ],
  [
    'the styles of a route with those of the first page, each once',
    { 'assets/index.css': MAX_STYLES - 200, 'assets/shared.css': 100, 'assets/alert.css': 200 },
    'styles of src/routes/alerts/alert-page.tsx: 20.1 kB',
  ],
])('limits %s', (_name, sizes, fault) => {
  expect(faults(sizes)).toEqual([expect.stringContaining(fault)]);
});

it('counts neither the first page for a route nor what is loaded later', () => {
  expect(faults({ 'assets/index.js': MAX_FIRST_PAGE, 'assets/dialog.js': MAX_ROUTE * 2 })).toEqual([]);
});

it('refuses a build manifest of the console that has no entry chunk', () => {
  expect(() => sizeFaults({}, () => 0)).toThrow('the manifest of the build has no entry');
});

it('allows the first page one script and one style', () => {
  expect(fileFaults(MANIFEST)).toEqual([
    'scripts of the first page: one file is allowed, not assets/index.js, assets/shared.js',
    'styles of the first page: one file is allowed, not assets/index.css, assets/shared.css',
  ]);
  const entry = { file: 'assets/index.js', isEntry: true, css: ['assets/index.css'] };
  expect(fileFaults({ 'index.html': entry, '_later.js': { file: 'assets/later.js' } })).toEqual([]);
});
