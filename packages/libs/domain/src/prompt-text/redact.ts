/** The replacement of a secret. */
export const HIDDEN = '[hidden]';

const SECRET_NAME =
  '(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[-_]?key|access[-_]?key|secret[-_]?key|private[-_]?key|encryption[-_]?key|signing[-_]?key|account[-_]?key|client[-_]?secret|credentials?|session(?:[-_]?id)?|cookie|signature|sig|jwt|pin)';
const VALUE = '(?:"[^"]*"|\'[^\']*\'|[^\\s,;&|]+)';
/** Excludes ids of Tidewatch, 32 hexadecimal digits after a prefix, which are not secret. */
const NOT_OUR_ID = '(?<!\\b(?:org|svc|rul|alr|inv|key|chn|sil|evt|ntf|rcp|fnd|evd|mrk|aud)_)';

/** Patterns of secrets, those that match more first; `$1` is kept. */
const PATTERNS: readonly (readonly [pattern: RegExp, kept: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs, ''],
  [
    /(\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?:(?:basic|bearer|digest|negotiate|token|apikey)\s+)?[^\s"']+/gi,
    '$1',
  ],
  [/(\bbearer[\s:=]+)[\w.~+/=-]{6,}/gi, '$1'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#]*@/gi, '$1'],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:)[^\s@]+@/gi, '$1'],
  [/(\bhooks\.slack\.com\/(?:services|workflows)\/)[^\s"']+/gi, '$1'],
  [/(\bdiscord(?:app)?\.com\/api\/webhooks\/)[^\s"']+/gi, '$1'],
  [new RegExp(`((?<![\\w.-])[\\w.-]*${SECRET_NAME}(?:[-_.][\\w.-]*)?["']?\\s*[:=]\\s*)${VALUE}`, 'gi'), '$1'],
  [new RegExp(`(\\b\\w*(?:PASSWORD|PASSWD|SECRET|TOKEN|APIKEY)\\w*\\s*=\\s*)${VALUE}`, 'gi'), '$1'],
  [new RegExp(`((?<![\\w.-])--?[\\w.-]*${SECRET_NAME}\\s+)(?!-)${VALUE}`, 'gi'), '$1'],
  [/(\b(?:mysql\w*|mariadb[\w-]*|sshpass|mongo\w*)\b[^|;]*?\s-p\s*)(?!-)\S+/gi, '$1'],
  [/(\bsshpass\s+-p\s*)\S+/gi, '$1'],
  [/(\bredis-cli\b[^|;]*?\s-a\s+)\S+/gi, '$1'],
  [/(\s(?:-u|--user|--proxy-user)[\s=])[^\s:]+:\S+/g, '$1'],
  [/\b(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[0-9A-Z]{12,}\b/g, ''],
  [
    /\b(?:gh[pousr]_|github_pat_|glpat-|gldt-|xox[a-z]-|xapp-|npm_|pypi-|hf_|dop_v1_|whsec_|shpat_|tw_)[\w-]{10,}/g,
    '',
  ],
  [/\b(?:sk|rk|pk)[-_](?:live[-_]|test[-_]|ant[-_]|proj[-_])?[\w-]{12,}/g, ''],
  [/\bAIza[\w-]{20,}/g, ''],
  [/\bya29\.[\w-]{10,}/g, ''],
  [/\bSG\.[\w-]{10,}\.[\w-]{10,}/g, ''],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g, ''],
  [new RegExp(`(?<![0-9a-z])${NOT_OUR_ID}[0-9a-f]{32,}(?![0-9a-z])`, 'gi'), ''],
  [
    /(?<![\w+/=])(?=[A-Za-z0-9+/]*\d[A-Za-z0-9+/]*\d)(?=[A-Za-z0-9+/]*[a-z])(?=[A-Za-z0-9+/]*[A-Z])[A-Za-z0-9+]{24,}={0,2}/g,
    '',
  ],
  [/(?<![\w+/=])[A-Za-z0-9+/]{38,}={1,2}/g, ''],
];

/**
 * Hides everything that looks like a password, token or key, since command lines may contain them and a model's server may
 * belong to a third party. Hides too much rather than too little.
 */
export function redact(text: string): string {
  return PATTERNS.reduce((rest, [pattern, kept]) => rest.replace(pattern, `${kept}${HIDDEN}`), text);
}
