import type { FindingDraft } from '../finding.ts';
import { plain, quoted } from '../words/names.ts';
import { type Advice, READS_ONLY } from './advice.ts';

export function peerAdvice({ subject, hosts }: FindingDraft): Advice[] {
  const [first] = hosts;
  if (subject.kind === 'tag') return changeAdvice({ subject });
  return [
    {
      title: first === undefined ? 'Look for what these hosts share' : `Look at ${plain(first.host)} first`,
      description:
        'Several hosts moved together: the cause is what they share (a database, a network, a machine below them), not any of them alone.',
      command: null,
      risk: READS_ONLY,
    },
  ];
}

export function changeAdvice({ subject }: Pick<FindingDraft, 'subject'>): Advice[] {
  const what = subject.kind === 'tag' ? quoted(subject.name) : 'the change';
  return [
    {
      title: `Compare with hosts without ${what}`,
      description: 'If only those with it are affected, it is the cause.',
      command: null,
      risk: READS_ONLY,
    },
    {
      title: `Roll ${what} back`,
      description:
        'With the tool that rolled it out, on one host first; the metric should return to its usual value there within minutes.',
      command: null,
      risk: 'Interrupts: a rollback restarts what it replaces, and data may have been migrated since.',
    },
  ];
}
