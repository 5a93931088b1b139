import { restLines } from '../../../core/reply.js';
import { answeredTool } from '../../../mcp/tool-controller.js';
import { plainLine, quotedLine } from '../../../text/plain-line.js';
import { artifactRefs, manifestLine, SUBSTRATE } from '../substrate-texts.js';
import {
  checkoutManifestInput,
  checkoutManifestOutput,
  createManifestInput,
  DEFAULT_LISTED_ENTRIES,
  DEFAULT_LISTED_MANIFESTS,
  diffManifestsInput,
  diffManifestsOutput,
  type ManifestCheckout,
  type ManifestDiff,
  manifestHistoryInput,
  manifestHistoryOutput,
  manifestOutput,
  MAX_CHANGES,
  MAX_LISTED_ENTRIES,
  MAX_LISTED_MANIFESTS,
} from './manifest.schemas.js';
import { ManifestService } from './manifest.service.js';

function checkoutText({ manifest, entries, ...page }: ManifestCheckout): string {
  const lines = entries.map(({ path, artifact_sha256, metadata = [] }) => {
    const facts = metadata.map(({ name, value }) => `${plainLine(name)}: ${quotedLine(value)}`).join('; ');
    return `${artifact_sha256} ${plainLine(path)}${facts === '' ? '' : ` (${facts})`}`;
  });
  return [manifestLine(manifest), ...lines, ...restLines(page)].join('\n');
}

function countsText({
  added,
  removed,
  changed,
}: Pick<ManifestDiff, 'added' | 'removed' | 'changed'>): string {
  return `${added} added, ${removed} removed, ${changed} changed.`;
}

function diffText({ changes, ...rest }: ManifestDiff): string {
  const lines = changes.map(
    ({ path, change, old_sha256: old, new_sha256: now }) =>
      `${change} ${plainLine(path)}: ${old ?? 'none'} -> ${now ?? 'none'}`,
  );
  return [countsText(rest), ...lines, ...restLines(rest)].join('\n');
}

/** The tools of manifests, in the order of the tool list. */
export const MANIFEST_TOOLS = [
  answeredTool(ManifestService, {
    name: 'substrate.manifest.create',
    title: 'Make a manifest',
    description:
      'Use when you want to publish stored artifacts as files with paths, or a changed version of a manifest. ' +
      'Do not use when the artifacts are not stored yet: call substrate.artifact.upload. ' +
      'Returns at most the sha256 and the facts of the manifest. ' +
      'If you need more, call it again with base for further files, then substrate.pointer.advance. ' +
      `Defaults: no base; parent_sha256 is base. Max: ${MAX_CHANGES} entries and ${MAX_CHANGES} removals per call, 10000 files.`,
    input: createManifestInput,
    output: manifestOutput,
    ...SUBSTRATE,
    safety: 'write',
    isAdditive: true,
    isRepeatable: true,
    budget: { bytes: 8_192, tokens: 4_000 },
    checkReady: ({ call, input, service }) => service(ManifestService).check(call, input),
    rendering: { refs: artifactRefs, full: manifestLine, summary: manifestLine },
    answer: (service, call, input) => service.create(call, input),
  }),
  answeredTool(ManifestService, {
    name: 'substrate.manifest.checkout',
    title: 'Files of a manifest',
    description:
      'Use when you want the files of a manifest: paths, with the artifact and metadata of each. ' +
      'Do not use when you want what changed between two: call substrate.manifest.diff. ' +
      'Returns at most limit files by path (64 KB). ' +
      'If you need more, call it again with cursor = next_cursor. ' +
      `Defaults: limit ${DEFAULT_LISTED_ENTRIES}. Max: ${MAX_LISTED_ENTRIES}.`,
    input: checkoutManifestInput,
    output: checkoutManifestOutput,
    ...SUBSTRATE,
    budget: { bytes: 65_536, tokens: 32_768 },
    rendering: {
      refs: ({ manifest }) => artifactRefs(manifest),
      full: checkoutText,
      summary: ({ manifest }) => manifestLine(manifest),
    },
    answer: (service, call, input) => service.checkout(call, input),
  }),
  answeredTool(ManifestService, {
    name: 'substrate.manifest.diff',
    title: 'Compare two manifests',
    description:
      'Use when you want the files that were added, removed or changed from one manifest to another. ' +
      'Do not use when you want all files of one: call substrate.manifest.checkout. ' +
      'Returns at most limit changes by path, and their number (64 KB). ' +
      'If you need more, call it again with cursor = next_cursor. ' +
      `Defaults: limit ${DEFAULT_LISTED_ENTRIES}. Max: ${MAX_LISTED_ENTRIES}.`,
    input: diffManifestsInput,
    output: diffManifestsOutput,
    ...SUBSTRATE,
    budget: { bytes: 65_536, tokens: 32_768 },
    rendering: { refs: () => [], full: diffText, summary: countsText },
    answer: (service, call, input) => service.diff(call, input),
  }),
  answeredTool(ManifestService, {
    name: 'substrate.manifest.history',
    title: 'History of a manifest',
    description:
      'Use when you want to know which manifests a manifest follows, with their messages. ' +
      'Do not use when you want to know where a pointer was: call substrate.pointer.resolve. ' +
      'Returns at most limit manifests: itself, its parent, and so on (32 KB). ' +
      'If you need more, call it again with cursor = next_cursor. ' +
      `Defaults: limit ${DEFAULT_LISTED_MANIFESTS}. Max: ${MAX_LISTED_MANIFESTS}.`,
    input: manifestHistoryInput,
    output: manifestHistoryOutput,
    ...SUBSTRATE,
    budget: { bytes: 32_768, tokens: 16_384 },
    rendering: {
      refs: ({ manifests }) => manifests.flatMap(artifactRefs),
      full: ({ manifests, ...page }) => [...manifests.map(manifestLine), ...restLines(page)].join('\n'),
      summary: ({ manifests }) => `${manifests.length} manifests.`,
    },
    answer: (service, call, input) => service.history(call, input),
  }),
];
