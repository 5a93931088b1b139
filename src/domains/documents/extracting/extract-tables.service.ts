import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../../config/server-secret.js';
import type { Call } from '../../../core/call.js';
import { decodeCursor, encodeCursor } from '../../../core/cursor.js';
import { type Fit, keptOf, listReply, type Reply, toldSkipped } from '../../../core/reply.js';
import { DocumentSourceService, orMalformed } from '../source/document-source.service.js';
import { showDocument } from '../source/read-document.js';
import type { ExtractedTables, ExtractTablesInput } from './extract-tables.schemas.js';
import { rowsOf, showTables, type TableRow } from './show-tables.js';

/** Lists the tables of a document, page by page. */
@Injectable()
export class ExtractTablesService {
  constructor(
    private readonly source: DocumentSourceService,
    private readonly signing: ServerSecret,
  ) {}

  /** @throws InvalidArgumentError for a bad source or cursor; BackendUnavailableError */
  async extract(call: Call, input: ExtractTablesInput): Promise<Reply<ExtractedTables>> {
    const document = await this.source.read(call, input);
    const tables = await orMalformed(document.tables);
    const { csv, limit, cursor = null } = input;
    const rows = rowsOf(tables);
    const question = ['document.extract_tables', document.facts.path, document.origin, csv, call.scope];
    const binding = { question, principal: call.caller.principal, generation: document.version };
    const { secret } = this.signing;
    const offset = cursor === null ? 0 : decodeCursor(cursor, binding, secret);
    const page: readonly TableRow[] = rows.slice(offset, offset + limit);
    const maxChars = page.reduce(
      (most, { cells }) => cells.reduce((m, { length }) => Math.max(m, length), most),
      0,
    );
    return listReply({ count: page.length, maxChars, isPage: true }, (fit: Fit) => {
      const next = offset + fit.count;
      const hasMore = next < rows.length;
      return {
        document: showDocument(document),
        total_tables: tables.length,
        tables: showTables(tables, keptOf(page, fit), { csv, maxChars: fit.maxChars }),
        partial: hasMore || fit.reason !== null,
        limit_reason: fit.reason ?? (hasMore ? 'page_size' : 'none'),
        next_cursor: hasMore ? encodeCursor(next, binding, secret) : null,
        ...toldSkipped(fit),
      };
    });
  }
}
