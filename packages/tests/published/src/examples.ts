/** The JavaScript blocks of a README, in order. */
export function examplesOf(readme: string): string[] {
  return [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

const IMPORT = /^import (?:(\w+)|\{([^}]*)\}) from ('[^']+');$/gm;

/** Returns an example with its imports unchanged and its other lines in a function, which both kinds of module accept. */
export function inFunction(example: string): string {
  const imports = [...example.matchAll(IMPORT)].map(([line]) => line);
  return `${imports.join('\n')}\nasync function main() {\n${example.replaceAll(IMPORT, '')}}\nvoid main();\n`;
}

/** Rewrites an example as CommonJS: imports become calls of `require`, and the other lines become the body of a function. */
export function asCommonJs(example: string): string {
  return inFunction(example).replaceAll(
    IMPORT,
    (_line, whole: string | undefined, names: string, from: string) =>
      `const ${whole ?? `{${names}}`} = require(${from});`,
  );
}
