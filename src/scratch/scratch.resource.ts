import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController, ResourceTemplate } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../mcp/calls.js';
import { cautiousResource } from '../mcp/rendering/cautious-text.js';
import { fenced } from '../text/untrusted-text.js';
import { PassagesService } from './passages.service.js';

const paramsSchema = z.object({ uri: z.string() });

interface ResourceContents {
  readonly contents: readonly {
    readonly uri: string;
    readonly mimeType: 'text/plain';
    readonly text: string;
    readonly _meta: Readonly<Record<string, unknown>>;
  }[];
}

// mcp-nest forwards more fields than its type declares. It matches URIs without the scheme, so PassagesService checks
// the whole URI.
const template = {
  name: 'scratch-passage',
  uriTemplate: 'wekadocs://scratch/{session_id}/{passage_id}',
  description: 'The full text of a passage of this session. A search returns the URI.',
  mimeType: 'text/plain',
  annotations: { audience: ['assistant'], priority: 0.1 },
};

/** Passages as resources, for hosts that load them outside the model's context. */
@McpController()
export class ScratchResource {
  constructor(private readonly passages: PassagesService) {}

  @ResourceTemplate(template)
  async read(@Payload() params: unknown, @Ctx() context: McpContext): Promise<ResourceContents> {
    const { uri } = paramsSchema.parse(params);
    const call = callOf(context);
    const { passage } = await this.passages.readUri(call, uri);
    const { provider, text } = passage;
    const annotations = { audience: ['assistant'], priority: 0.1, lastModified: passage.updatedAt };
    const shown = cautiousResource(call, passage.sectionId, text);
    const _meta = {
      size: passage.sizeBytes,
      annotations,
      section_id: passage.sectionId,
      title: passage.title,
      ...shown.meta,
    };
    return {
      contents: [
        {
          uri,
          mimeType: 'text/plain',
          text: provider === undefined ? shown.text : fenced(call, provider, text),
          _meta,
        },
      ],
    };
  }
}
