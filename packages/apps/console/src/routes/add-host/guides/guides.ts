import { type Guide, hasAddress, readGuide } from './read-guide.ts';

/** The guides as docs/agents has them, so that both say the same. */
const FILES: Readonly<Record<string, string>> = import.meta.glob('../../../../../../../docs/agents/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const TEXTS = new Map(
  Object.entries(FILES).map(([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text]),
);

/** The guides of agents of other projects by the names of their files, in the order in which the overview links them. */
export const GUIDES: ReadonlyMap<string, Guide> = new Map(
  [...(TEXTS.get('README.md') ?? '').matchAll(/\]\(([a-z-]+)\.md\)/g)].flatMap(([, name = '']) => {
    const text = TEXTS.get(`${name}.md`);
    const guide = text === undefined ? undefined : readGuide(text);
    return guide !== undefined && hasAddress(guide) ? [[name, guide] as const] : [];
  }),
);
