import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Rule {
  pattern: RegExp;
  /** Files in which it is allowed. */
  except?: RegExp;
  message: string;
}

/** Colours, as they are written in styles and as attributes of drawings. Names of colours are no names of anything else here. */
const COLOUR =
  /#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?![\w-])|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch)\(|(?::|=")\s*(?:black|white|red|green|blue|gr[ae]y|orange|yellow|purple|pink|brown)\b/i;

const STYLE_RULES: Rule[] = [
  {
    pattern: COLOUR,
    except: /style\/tokens\.css$/,
    message: 'colours stand in src/style/tokens.css alone: use a custom property',
  },
];

const SCRIPT_RULES: Rule[] = [
  ...STYLE_RULES,
  {
    pattern: /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write/,
    message: 'no code of the console sets HTML: names are shown as text',
  },
  {
    pattern:
      /\.toLocale\w*\(|\bIntl\.(?:DateTimeFormat|NumberFormat|RelativeTimeFormat)\b(?!\(\)\.resolvedOptions)/,
    except: /components\/(?:time|number)\//,
    message: 'numbers and times are formatted in src/components/number and src/components/time alone',
  },
];

/** What a source of the console does that it must not, a line each. */
export function consoleFaults(file: string, source: string): string[] {
  const rules = (file.endsWith('.css') ? STYLE_RULES : SCRIPT_RULES).filter(
    ({ except }) => !except?.test(file),
  );
  return source.split('\n').flatMap((line, index) => {
    if (/^\s*(?:\/\/|\/?\*)/.test(line)) return [];
    return rules
      .filter(({ pattern }) => pattern.test(line))
      .map(({ message }) => `${file}:${index + 1}: ${message}`);
  });
}

/** The faults of all sources of the console; tests may do what they test. */
export async function faultsOfConsole(root: string): Promise<string[]> {
  const faults: string[] = [];
  for await (const file of glob('packages/apps/console/src/**/*.{ts,tsx,css}', { cwd: root }))
    if (!/\.test\.tsx?$/.test(file))
      faults.push(...consoleFaults(file, await readFile(join(root, file), 'utf8')));
  return faults.sort();
}
