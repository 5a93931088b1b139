import { createHash } from 'node:crypto';
import { Controller, Get, Header, Req } from '@nestjs/common';
import type { Request } from 'express';
import { requestOrigin } from '../../pipeline/caller-identity.js';
import { TOOL_PATHS } from '../tool-paths.js';
import { BASE_STYLE, ICON, MARK } from './page-style.js';

const STYLE_HASH = `sha256-${createHash('sha256').update(BASE_STYLE).digest('base64')}`;
/** The address of the MCP endpoint as the browser reached this server; only the path if that is not known. */
export const endpointOf = (request: Request): string => requestOrigin(request) + TOOL_PATHS.mcp;

const welcomePage = (endpoint: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Pith</title>
<link rel="icon" href="${ICON}">
<style>${BASE_STYLE}</style>
</head>
<body>
<header class="top"><div class="wrap"><span class="brand">${MARK}<span>Pith</span></span></div></header>
<main class="wrap">
<h1>Pith</h1>
<p class="lead">This is a Model Context Protocol server. It answers questions from indexed documents with verbatim, cited quotes.</p>
<div class="card">
<h2>Connect a host</h2>
<p>Paste this address into your MCP host, as a server over Streamable HTTP:</p>
<pre tabindex="0">${endpoint}</pre>
<p class="note">If the server asks for a token or a key, the host sends it as <code>Authorization: Bearer …</code></p>
</div>
<div class="card">
<h2>More</h2>
<ul>
<li><a href="/admin">Admin console</a>, for operators, if it is turned on</li>
<li><a href="/healthz">Health of this server</a></li>
<li>Documentation: <code>docs/getting-started.md</code> and <code>docs/http.md</code> in the Pith package</li>
</ul>
</div>
</main>
</body>
</html>
`;

/** The page for people who open the server's address in a browser. It says nothing about the documents. */
@Controller()
export class WelcomeController {
  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header(
    'Content-Security-Policy',
    `default-src 'none'; style-src '${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  @Header('X-Content-Type-Options', 'nosniff')
  @Header('Referrer-Policy', 'no-referrer')
  page(@Req() request: Request): string {
    return welcomePage(endpointOf(request));
  }
}
