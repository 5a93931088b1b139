import { Controller, Get, Header } from '@nestjs/common';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pith</title>
</head>
<body>
<h1>Pith</h1>
<p>This is a Model Context Protocol server. It answers questions from indexed documents with verbatim, cited quotes.</p>
<p>MCP clients connect to <code>/mcp</code> on this host, over Streamable HTTP.</p>
<p>The documentation is in the <code>docs</code> folder of the Pith package. Start with <code>docs/getting-started.md</code>;
<code>docs/http.md</code> describes this server.</p>
</body>
</html>
`;

/** The page for people who open the server's address in a browser. It is the same for everyone. */
@Controller()
export class WelcomeController {
  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header(
    'Content-Security-Policy',
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  )
  @Header('X-Content-Type-Options', 'nosniff')
  @Header('Referrer-Policy', 'no-referrer')
  page(): string {
    return PAGE;
  }
}
