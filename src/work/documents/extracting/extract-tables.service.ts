import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../../config/server-secret.js';
import type { Call } from '../../../core/call.js';
import type { Reply } from '../../../core/reply.js';
import { ListCursors, pageFrom } from '../../list-pages.js';
import { DocumentSourceService } from '../source/document-source.service.js';
import { showDocument } from '../source/read-document.js';
import type { ExtractedTables, ExtractTablesInput } from './extract-tables.schemas.js';
import { rowsOf, showTables } from './show-tables.js';

/** Lists the tables of a document, page by page. */
@Injectable()
export class ExtractTablesService {
  constructor(
    private readonly source: DocumentSourceService,
    private readonly signing: ServerSecret,
  ) {}

  /** @throws InvalidArgumentError for a bad source or cursor; BackendUnavailableError */
  async extract(call: Call, input: ExtractTablesInput): Promise<Reply<ExtractedTables>> {
    const document = await this.source.read(call, input, 'tables');
    const { tables } = document;
    const { csv, limit, cursor } = input;
    const question = ['document.extract_tables', document.facts.path, document.origin, csv, call.scope];
    const signing = { secret: this.signing.secret, generation: document.version };
    const cursors = new ListCursors(call, question, signing);
    const page = pageFrom(rowsOf(tables), cursors.offsetOf(cursor), limit);
    const lengths = page.items.flatMap(({ cells }) => cells.map(({ length }) => length));
    const maxChars = lengths.reduce((most, length) => Math.max(most, length), 0);
    return cursors.reply({ ...page, maxChars }, (rows, fields, longest) => ({
      document: showDocument(document),
      total_tables: tables.length,
      tables: showTables(tables, rows, { csv, maxChars: longest }),
      ...fields,
    }));
  }
}
