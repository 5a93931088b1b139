import { isSeq } from 'yaml';
import { keyProblem, plainValue, valueProblem } from '../reading/metadata-entry.js';
import {
  keepAsWritten,
  offsetOfNode,
  pairsOf,
  resolved,
  valueAt,
  writtenEntries,
  writtenText,
} from '../reading/written-yaml.js';
import { ManifestFault, type ManifestSource, type YamlDocument } from './manifest-lines.js';

/** Rejects invalid metadata names and values that are too long. @throws ManifestFault with the line of the key */
export function checkMetadata({ document, file, lineAt }: ManifestSource, node: unknown): void {
  for (const { key, value, offset } of writtenEntries(document, node)) {
    const problem = keyProblem(key) ?? (value === null ? null : valueProblem(key, plainValue(value)));
    if (problem) throw new ManifestFault(file, lineAt(offset), `metadata: ${problem}`);
  }
  keepAsWritten(document, node);
}

/**
 * Rejects invalid taxonomy keys.
 * @param valuesKey  the key that holds the settings of single values
 * @throws ManifestFault
 */
export function checkTaxonomy(
  { document, file, lineAt }: ManifestSource,
  node: unknown,
  valuesKey: 'values' | 'properties',
): void {
  for (const pair of pairsOf(document, node)) {
    const problem = keyProblem(writtenText(pair.key) ?? '');
    if (problem) throw new ManifestFault(file, lineAt(offsetOfNode(pair.key)), `taxonomy: ${problem}`);
    keepAsWritten(document, valueAt(document, pair.value, valuesKey));
  }
}

/** The items of a list; empty when the node is not a list. */
export function itemsOf(document: YamlDocument, node: unknown): readonly unknown[] {
  const list = resolved(document, node);
  return isSeq(list) ? list.items : [];
}
