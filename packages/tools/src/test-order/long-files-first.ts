import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What test files take, in seconds, where one that begins last would go on alone. Without results of earlier runs vitest
 * begins with files that have many bytes, which says nothing of their time.
 */
export const LONG_FILES: Readonly<Record<string, number>> = {
  'packages/tests/e2e/src/schemathesis.test.ts': 256,
  'packages/tests/e2e/src/faults/agents-hosts.test.ts': 224,
  'packages/libs/bus/src/kafka/lost-brokers.distributed.test.ts': 190,
  'packages/tests/e2e/src/agent-update.test.ts': 88,
  'packages/services/writer/src/writer.integration.test.ts': 85,
  'packages/libs/bus/src/kafka/position/shortened-log.distributed.test.ts': 76,
  'packages/libs/bus/src/kafka/position/shortened-log-at-start.distributed.test.ts': 68,
  'packages/apps/agent/src/main.integration.test.ts': 56,
  'packages/apps/standalone/src/main.integration.test.ts': 43,
};

/** Suites with settings of their own, for each of which the stack that all share is restarted. */
export const FILES_WITH_SETTINGS: readonly string[] = [
  'packages/tests/e2e/src/agent-downloads.test.ts',
  'packages/tests/e2e/src/document.test.ts',
  'packages/tests/e2e/src/investigations/model.test.ts',
  'packages/tests/e2e/src/single-sign-on.test.ts',
];

/**
 * The order in which vitest begins test files: of each project the long ones first, those with settings of their own last, so that
 * none between them needs a restart, and the rest as usual.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longFilesFirst(
      await super.sort(files),
      ({ project }) => project.name,
      ({ moduleId }) => moduleId,
    );
  }
}

/** Moves long files to the beginning of their project, whose files stand together, and those with settings to its end. The order is kept otherwise. */
export function longFilesFirst<File>(
  files: readonly File[],
  projectOf: (file: File) => string,
  pathOf: (file: File) => string,
): File[] {
  const weight = (file: File) => {
    const path = pathOf(file).replaceAll('\\', '/');
    if (FILES_WITH_SETTINGS.some((name) => path.endsWith(`/${name}`))) return -1;
    return Object.entries(LONG_FILES).find(([name]) => path.endsWith(`/${name}`))?.[1] ?? 0;
  };
  const byProject = Map.groupBy(files, projectOf);
  return [...byProject.values()].flatMap((own) => own.toSorted((one, other) => weight(other) - weight(one)));
}
