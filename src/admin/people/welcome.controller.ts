import { Controller, Get, Header, Req } from '@nestjs/common';
import type { Request } from 'express';
import { TOOL_PATHS } from '../../mcp/http/tool-paths.js';
import { requestOrigin } from '../../mcp/pipeline/caller-identity.js';
import { html } from '../views/html.js';
import { connectPart, peoplePage } from './page-frame.js';
import { READER_POLICY } from './page-look.js';

/** The address of the MCP endpoint as the browser reached this server; only the path if that is not known. */
export const endpointOf = (request: Request): string => requestOrigin(request) + TOOL_PATHS.mcp;

/** The page of a server without a search page. It says nothing about the documents. */
@Controller()
export class WelcomeController {
  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Content-Security-Policy', READER_POLICY)
  @Header('X-Content-Type-Options', 'nosniff')
  @Header('Referrer-Policy', 'no-referrer')
  page(@Req() request: Request): string {
    return peoplePage({
      title: 'Pith',
      kind: 'plain',
      content: html`<h1>Pith</h1>
        <p class="lead">This Model Context Protocol server answers questions with quotes from documents.</p>
        ${connectPart(endpointOf(request))}
        <ul>
          <li><a href="/admin">Admin console</a>, for operators, if it is turned on</li>
          <li><a href="/healthz">Health of this server</a></li>
          <li>
            Documentation: <code>docs/getting-started.md</code> and <code>docs/http.md</code> in the Pith
            package
          </li>
        </ul>`,
    });
  }
}
