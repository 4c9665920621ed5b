/** A word that the glossary (docs/glossary.md) replaces by another. */
export interface ReplacedWord {
  /** Matched against text in which identifiers are split: `judgedAt`, `JUDGED_AT` and `judged_at` all read "judged at". */
  pattern: RegExp;
  /** The words to write instead. */
  use: string;
}

/** Phrases in which a replaced word is the right one. */
export interface Exception {
  /** Matches text that is removed before words are searched for. */
  phrase: RegExp;
  reason: string;
}

export const REPLACED_WORDS: readonly ReplacedWord[] = [
  {
    pattern: /\b(un)?judg(e[ds]?|ing|e?ments?|ings)\b/,
    use: 'evaluate (a rule), rate or assess (health), decide (anything else)',
  },
  { pattern: /\bpairs?\b/, use: 'alert instance, or entries, two values' },
  {
    pattern: /\b(un)?told\b|\btell(s|ing|ings)?\b/,
    use: 'emit (an event), notify (a channel), deliver, report, say',
  },
  { pattern: /\b(un)?heard\b|\bhears?\b/, use: 'last seen, received' },
  { pattern: /\b(met|meets?)\b/, use: 'load, satisfy, reach, find' },
  { pattern: /\bparted\b|\b(to|it|and) parts? (from|with)\b/, use: 'release' },
  { pattern: /\blets? go\b|\bletting go\b/, use: 'release, evict, drop, end' },
  { pattern: /\beditions?\b/, use: 'storage backend' },
  { pattern: /\bbeds?\b/, use: 'harness, fixture' },
  { pattern: /\bhurr(y|ies|ied|ying)\b/, use: 'flush' },
  { pattern: /\banew\b/, use: 'again, from the start' },
  { pattern: /\b(do|does|did|done|doing) (it )?again\b/, use: 'retry, repeat' },
  { pattern: /\borg id\b/, use: 'organizationId' },
  { pattern: /\bis looked (for|at)\b|\bare looked (for|at)\b/, use: 'a subject that checks or reads' },
];

/** First words of identifiers that name a limit; prose may say "at most" and "the largest". */
export const REPLACED_PREFIXES: readonly ReplacedWord[] = [
  { pattern: /\b(MOST|LARGEST|LONGEST)_[A-Z]|\b(most|largest|longest)[A-Z]/, use: 'MAX_…, max…' },
  {
    pattern: /\b(LEAST|SHORTEST|SMALLEST|FEWEST)_[A-Z]|\b(least|shortest|smallest|fewest)[A-Z]/,
    use: 'MIN_…, min…',
  },
];

export const EXCEPTIONS: readonly Exception[] = [
  { phrase: /\bsurrogate pairs?\b/, reason: 'the term of Unicode' },
  { phrase: /\bduplex pairs?\b/, reason: 'the name that Node gives two joined streams' },
  { phrase: /\bkey pairs?\b/, reason: 'the term of cryptography' },
  {
    phrase: /\bedition\??: |\breadiness\.edition\b/,
    reason: 'the field of /readyz that names the storage backend',
  },
  { phrase: /\btidewatch store edition\b/, reason: 'the setting that names the storage backend' },
  { phrase: /\b(apache( 2)?|community) edition\b/, reason: 'the name that Timescale gives its packages' },
];

/** Files and folders that are never checked. */
export const EXCLUDED: readonly { path: string; reason: string }[] = [
  {
    path: 'docs/decisions/',
    reason: 'a record is not edited after it was accepted; a later one supersedes it',
  },
  {
    path: 'packages/apps/standalone/src/backup/earlier-names.ts',
    reason: 'maps the names in backups of earlier versions to the present ones',
  },
];
