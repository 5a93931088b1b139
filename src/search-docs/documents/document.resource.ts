import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController, ResourceTemplate } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { DocumentsService } from './documents.service.js';

const paramsSchema = z.object({ uri: z.string() });

interface ResourceContents {
  readonly contents: readonly {
    readonly uri: string;
    readonly mimeType: 'text/markdown';
    readonly text: string;
    readonly _meta: Readonly<Record<string, unknown>>;
  }[];
}

// The library's spelling of a path with slashes; the list has RFC 6570's.
const template = {
  name: 'document',
  uriTemplate: 'docs:///{path*}',
  description: 'A whole document. resources/list names the available ones.',
  mimeType: 'text/markdown',
};

/** Documents as resources, for hosts whose users attach them. */
@McpController()
export class DocumentResource {
  constructor(private readonly service: DocumentsService) {}

  @ResourceTemplate(template)
  async read(@Payload() params: unknown, @Ctx() context: McpContext): Promise<ResourceContents> {
    const { uri } = paramsSchema.parse(params);
    const { document, markdown } = await this.service.read(callOf(context), uri);
    const _meta = {
      size: Buffer.byteLength(markdown),
      annotations: { audience: ['user', 'assistant'], lastModified: document.updatedAt },
      title: document.title,
      metadata: document.metadata,
    };
    return { contents: [{ uri, mimeType: 'text/markdown', text: markdown, _meta }] };
  }
}
