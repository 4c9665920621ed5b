import { partOfSubject } from '../ingest/part-subject.ts';

interface Named {
  kind: string;
  name: string;
}

/** The kind and name of a subject as people read them: those of a part as it was sent, such as `filesystem` and `/var`. */
export function namedSubject({ kind, name }: Named): Named {
  return kind === 'part' ? partOfSubject(name) : { kind, name };
}

/** A subject in words: `container api`, or `filesystem /var` of a part. */
export function subjectWords(subject: Named): string {
  const { kind, name } = namedSubject(subject);
  return `${kind} ${name}`;
}
