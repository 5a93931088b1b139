import { html } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { listAddress, type PageColumn, pager, table } from '../../../admin/views/table.js';
import { seenName } from '../../../admin/views/visible-text.js';
import type { PointerName } from '../../../core/ports/index-source.js';
import { timeAt } from '../../../governance/pages/approvals/approval-state.js';
import type { Pointer } from '../../substrate/pointers/pointer-store.port.js';

/** A page of the list of pointers. */
export interface PointerRows {
  readonly pointers: readonly Pointer[];
  /** Number of pointers before this page. */
  readonly after: number;
  readonly hasMore: boolean;
}

const PATH = '/admin/pointers';

/** The address of the page of a pointer. */
export const pointerAddress = ({ namespace, name }: PointerName): string => `${PATH}/${namespace}/${name}`;

const COLUMNS: readonly PageColumn<Pointer>[] = [
  {
    name: 'Name',
    isHead: true,
    cell: (pointer) =>
      html`<a href="${pointerAddress(pointer)}">${seenName(`${pointer.namespace}/${pointer.name}`)}</a>`,
  },
  { name: 'Type', cell: ({ type }) => type },
  { name: 'Current manifest', isWide: true, cell: ({ manifestSha256 }) => seenName(manifestSha256) },
  { name: 'Version', isNumber: true, cell: ({ version }) => String(version) },
  { name: 'Last moved', cell: ({ movedAt }) => timeAt(movedAt) },
];

/** The pointers of the project and environment of the server. */
export function pointersPage({ pointers, after, hasMore }: PointerRows, frame: Frame): string {
  const empty = after > 0 ? 'There are no more pointers.' : 'There are no pointers.';
  return page({
    title: 'Pointers',
    place: PATH,
    frame,
    content: html`<h1>Pointers</h1>
      <p class="lead">Names for manifests of stored documents. A name moves to later manifests.</p>
      <div class="card">
        ${
          pointers.length > 0
            ? table({ caption: 'By namespace and name', rows: pointers, columns: COLUMNS })
            : html`<p class="empty">${empty}</p>`
        }
        ${pager({
          of: 'the list',
          first: after > 0 ? PATH : null,
          next: hasMore ? listAddress(PATH, { after: after + pointers.length }) : null,
          words: ['First', 'Later'],
        })}
      </div>`,
  });
}
