import type { FindingDraft } from '../finding.ts';
import { plain, quoted } from '../words/names.ts';
import { shellQuoted } from '../words/shell.ts';
import { type Advice, READS_ONLY } from './advice.ts';

export function containerAdvice({ subject, host, metric }: FindingDraft): Advice[] {
  const name = shellQuoted(subject.name);
  const limit: Advice[] =
    metric === 'memory_usage'
      ? [
          {
            title: `Bound the memory of container ${quoted(subject.name)}`,
            description:
              'So that it alone suffers when it leaks. Choose a limit above what it takes when healthy; its use then stays below.',
            command: `docker update --memory 1g --memory-swap 1g -- ${name}`,
            risk: 'Interrupts: a container above its limit is killed by the kernel at once. Put your own limit for 1g.',
          },
        ]
      : [];
  return [
    {
      title: `See the log of container ${quoted(subject.name)}`,
      description: `On ${plain(host)}: what it said since the trouble began.`,
      command: `docker logs --since 1h --tail 200 --timestamps -- ${name}`,
      risk: READS_ONLY,
    },
    {
      title: `Restart container ${quoted(subject.name)}`,
      description:
        'Frees what it holds. A leak comes back, so that its slope until then shows how much time there is.',
      command: `docker restart -- ${name}`,
      risk: 'Interrupts: requests under way fail until it is up again.',
    },
    ...limit,
  ];
}
