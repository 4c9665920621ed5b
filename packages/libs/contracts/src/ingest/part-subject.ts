/** The name of a part as a subject, such as `filesystem:/var`: no kind has a colon. */
export function partSubject(kind: string, name: string): string {
  return `${kind}:${name}`;
}

/** The kind and name of a part by its name as a subject. */
export function partOfSubject(subject: string): { kind: string; name: string } {
  const colon = subject.indexOf(':');
  return colon < 0
    ? { kind: subject, name: '' }
    : { kind: subject.slice(0, colon), name: subject.slice(colon + 1) };
}
