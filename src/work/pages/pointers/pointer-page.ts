import { card, factList } from '../../../admin/views/card.js';
import { type Html, html, type Part } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { listAddress, type PageColumn, pager, table } from '../../../admin/views/table.js';
import { seen, seenName } from '../../../admin/views/visible-text.js';
import { formatCount } from '../../../diagnostics/report/format.js';
import { timeAt } from '../../../governance/pages/approvals/approval-state.js';
import type { ManifestEntry } from '../../substrate/manifests/manifest.schemas.js';
import type { Pointer, PointerMove } from '../../substrate/pointers/pointer-store.port.js';
import { pointerAddress } from './pointers-page.js';
import type { PointerPlace } from './pointers-query.js';

/** A pointer with one page of its history and one page of its files. */
export interface PointerView {
  readonly pointer: Pointer;
  /** Latest first. */
  readonly moves: readonly PointerMove[];
  /** The version before which the next page of the history begins; null on the last page. */
  readonly earlier: number | null;
  /** Files of the current manifest, by path. */
  readonly files: readonly ManifestEntry[];
  /** Number of all its files. */
  readonly fileCount: number;
}

const MOVES: readonly PageColumn<PointerMove>[] = [
  { name: 'Version', isHead: true, cell: ({ version }) => String(version) },
  { name: 'Manifest', isWide: true, cell: ({ newSha256 }) => seenName(newSha256) },
  { name: 'Reason', isWide: true, cell: ({ reason }) => html`<bdi>${seen(reason)}</bdi>` },
  { name: 'Moved by', cell: ({ by }) => seenName(by) },
  { name: 'Time', cell: ({ at }) => timeAt(at) },
];

function metadataText({ metadata = [] }: ManifestEntry): Part {
  if (metadata.length === 0) return null;
  return metadata.map(
    ({ name, value }, i) => html`${i > 0 && html`<br />`}<bdi>${seen(name)}</bdi>: <bdi>${seen(value)}</bdi>`,
  );
}

const FILES: readonly PageColumn<ManifestEntry>[] = [
  { name: 'Path', isHead: true, isWide: true, cell: ({ path }) => seenName(path) },
  { name: 'Artifact', isWide: true, cell: ({ artifact_sha256: sha256 }) => seenName(sha256) },
  { name: 'Metadata', isWide: true, cell: metadataText },
];

function historyCard({ pointer, moves, earlier }: PointerView, { before, after }: PointerPlace): Html {
  const path = pointerAddress(pointer);
  const rows =
    moves.length > 0
      ? table({ caption: 'Latest first', rows: moves, columns: MOVES })
      : html`<p class="empty">There are no earlier moves.</p>`;
  return card(
    'history',
    'History',
    html`${rows}
    ${pager({
      of: 'the history',
      first: before === undefined ? null : listAddress(path, { after }),
      next: earlier === null ? null : listAddress(path, { before: earlier, after }),
    })}`,
  );
}

function filesCard({ pointer, files, fileCount }: PointerView, { before, after = 0 }: PointerPlace): Html {
  const path = pointerAddress(pointer);
  const next = after + files.length;
  const caption = `${formatCount(after + 1)} to ${formatCount(next)} of ${formatCount(fileCount)}, by path`;
  const rows =
    files.length > 0
      ? table({ caption, rows: files, columns: FILES })
      : html`<p class="empty">${after > 0 ? 'There are no more files.' : 'The manifest has no files.'}</p>`;
  return card(
    'files',
    'Files of the current manifest',
    html`${rows}
    ${pager({
      of: 'the files',
      first: after > 0 ? listAddress(path, { before }) : null,
      next: next < fileCount ? listAddress(path, { before, after: next }) : null,
      words: ['First', 'Later'],
    })}`,
  );
}

/** A pointer, its moves, and the files of its current manifest. */
export function pointerPage(view: PointerView, place: PointerPlace, frame: Frame): string {
  const { pointer } = view;
  const { namespace, name, type, description, manifestSha256, createdAt, movedAt } = pointer;
  return page({
    title: 'Pointer',
    place: '/admin/pointers',
    frame,
    content: html`<h1>Pointer <bdi class="id">${namespace}/${name}</bdi></h1>
      ${factList([
        ['Type', type],
        ...(description === '' ? [] : [['Description', html`<bdi>${seen(description)}</bdi>`] as const]),
        ['Current manifest', seenName(manifestSha256)],
        ['Version', String(pointer.version)],
        ['Created', timeAt(createdAt)],
        ['Last moved', timeAt(movedAt)],
      ])}
      ${historyCard(view, place)} ${filesCard(view, place)}`,
  });
}
