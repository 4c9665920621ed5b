import { setImmediate } from 'node:timers/promises';
import { exportRule } from '@tidewatch/contracts/rules/rule-export';
import type { RuleRow } from '@tidewatch/store/rules/row';
import { Document, type YAMLMap, type YAMLSeq } from 'yaml';

export type ExportFormat = 'yaml' | 'json';

export const EXPORT_TYPES: Record<ExportFormat, string> = {
  yaml: 'application/yaml; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** The number of rules that are written before yielding to the event loop. */
const RULES_OF_A_TURN = 20;
const UNNAMED =
  ' This rule has no external id and goes by its id here. Applying this document gives it that one.';

/** Yields the document of a rule set, as `PUT` accepts it, piece by piece from portions of rules. */
export async function* exportDocument(
  portions: AsyncIterable<readonly RuleRow[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  let isFirst = true;
  for await (const rows of portions) {
    for (let start = 0; start < rows.length; start += RULES_OF_A_TURN) {
      const some = rows.slice(start, start + RULES_OF_A_TURN);
      if (format === 'yaml') yield (isFirst ? 'rules:\n' : '') + yamlOf(some);
      else yield (isFirst ? '{"rules":[\n' : ',\n') + some.map(jsonOf).join(',\n');
      isFirst = false;
      await setImmediate();
    }
  }
  if (format === 'yaml') yield isFirst ? 'rules: []\n' : '';
  else yield isFirst ? '{"rules":[]}\n' : '\n]}\n';
}

function jsonOf(row: RuleRow): string {
  return JSON.stringify(exportRule(row.id, row.definition));
}

/** Quotes texts that YAML 1.1 reads as other types, such as `no` and `1_000`. */
function yamlOf(rows: readonly RuleRow[]): string {
  const document = new Document<YAMLSeq<YAMLMap>>(
    rows.map((row) => exportRule(row.id, row.definition)) as never,
    { schema: 'core', compat: 'yaml-1.1', aliasDuplicateObjects: false },
  );
  for (const [index, row] of rows.entries()) {
    const rule = document.contents?.items[index];
    if (rule !== undefined && row.definition.external_id === null) rule.commentBefore = UNNAMED;
  }
  return document.toString({ lineWidth: 0 });
}
