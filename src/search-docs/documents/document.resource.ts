import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController, ResourceTemplate } from '@rekog/mcp-nest';
import { z } from 'zod';
import { encodePath } from '../../core/section-id.js';
import { callOf } from '../../mcp/calls.js';
import { cautiousResource, noteOrigin } from '../../mcp/rendering/cautious-text.js';
import { DocumentsService } from './documents.service.js';

const paramsSchema = z.object({ uri: z.string() });

// `{path*}` is the library's syntax for a path with slashes. The list of templates uses RFC 6570's.
const template = {
  name: 'document',
  uriTemplate: 'docs:///{path*}',
  description: 'A whole document. resources/list names the available ones.',
  mimeType: 'text/markdown',
};

@McpController()
export class DocumentResource {
  constructor(private readonly service: DocumentsService) {}

  @ResourceTemplate(template)
  async read(@Payload() params: unknown, @Ctx() context: McpContext) {
    const { uri } = paramsSchema.parse(params);
    const call = callOf(context);
    const { document, markdown } = await this.service.read(call, uri);
    noteOrigin(call, document, [document.path, encodePath(document.path)]);
    const { text, meta } = cautiousResource(call, document.path, markdown);
    const _meta = {
      size: Buffer.byteLength(text),
      annotations: { audience: ['user', 'assistant'], lastModified: document.updatedAt },
      title: document.title,
      metadata: document.metadata,
      ...meta,
    };
    return { contents: [{ uri, mimeType: 'text/markdown', text, _meta }] };
  }
}
