import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** The icons of Lucide that the console uses, by their names there. */
const NAMES = [
  'activity',
  'bell-off',
  'chart-line',
  'circle-question-mark',
  'circle-user',
  'ellipsis',
  'heart-pulse',
  'layout-dashboard',
  'list-checks',
  'maximize-2',
  'microscope',
  'minimize-2',
  'pin',
  'search',
  'server',
  'settings',
  'siren',
  'x',
];

const SHAPE = /<([a-z]+)((?: [a-zA-Z0-9-]+="[^"]*")*)>/g;
const ATTRIBUTE = / ([a-zA-Z0-9-]+)="([^"]*)"/g;

/** The source of `src/icons/lucide.ts` and the licence beside it, made from the installed package `lucide-react`. */
export async function lucideFiles(): Promise<{ source: string; licence: string }> {
  const folder = dirname(createRequire(import.meta.url).resolve('lucide-react/package.json'));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const icons = await Promise.all(NAMES.map(async (name) => iconSource(name, await shapesOf(name))));
  const source = `/**
 * @license Lucide ${version} (https://lucide.dev), ISC and MIT: see LICENSE in this folder.
 * Copied from the package lucide-react by \`npm run icons\`; to use another icon, add its name to
 * packages/apps/console/build/lucide-file.ts.
 */
import { lucideIcon } from './lucide-icon.tsx';

${icons.join('\n')}`;
  return { source, licence: readFileSync(join(folder, 'LICENSE'), 'utf8') };
}

type Shape = [name: string, attributes: Record<string, string>];

async function shapesOf(icon: string): Promise<Shape[]> {
  const { default: component } = (await import(`lucide-react/icons/${icon}`)) as { default: ComponentType };
  const [, ...shapes] = [...renderToStaticMarkup(createElement(component)).matchAll(SHAPE)];
  return shapes.map(([, name = '', attributes = '']) => [
    name,
    Object.fromEntries([...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value])),
  ]);
}

function iconSource(icon: string, shapes: readonly Shape[]): string {
  const component = icon.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const lines = shapes.map(([name, attributes]) => {
    const written = Object.entries(attributes).map(([key, value]) => `${key}: '${value}'`);
    return `  ['${name}', { ${written.join(', ')} }],\n`;
  });
  return `export const ${component} = /* @__PURE__ */ lucideIcon([\n${lines.join('')}]);\n`;
}
