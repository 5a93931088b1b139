import { Payload } from '@nestjs/microservices';
import { McpController, Resource, ResourceTemplate } from '@rekog/mcp-nest';
import { z } from 'zod';
import { PNG } from './fixture-data.js';

const TEXT = { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' };
const BINARY = { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' };
const TEMPLATE = {
  uriTemplate: 'test://template/{id}/data',
  name: 'template',
  mimeType: 'application/json',
};

const paramsSchema = z.object({ uri: z.string(), id: z.string() });

@McpController()
export class FixtureResources {
  @Resource(TEXT)
  text() {
    const { uri, mimeType } = TEXT;
    return { contents: [{ uri, mimeType, text: 'This is the content of the static text resource.' }] };
  }

  @Resource(BINARY)
  binary() {
    const { uri, mimeType } = BINARY;
    return { contents: [{ uri, mimeType, blob: PNG }] };
  }

  @ResourceTemplate(TEMPLATE)
  data(@Payload() payload: unknown) {
    const { uri, id } = paramsSchema.parse(payload);
    const text = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: TEMPLATE.mimeType, text }] };
  }
}
