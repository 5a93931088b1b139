import { type Browser, firefox } from 'playwright-core';

type Send = (method: string, parameters: object) => Promise<unknown>;

/** The parts of Playwright's own browser object that are changed here; its version is pinned. */
interface Inside {
  readonly _browserSession: { send: Send };
  doCreateNewContext: (options: WindowOptions) => Promise<unknown>;
}

interface WindowOptions {
  readonly colorScheme?: string;
  readonly javaScriptEnabled?: boolean;
}

/** Firefox does not know it, so a preference takes its place. */
const UNKNOWN = 'emulation.setMediaFeaturesOverride';

/** Sets preferences of the whole browser. */
async function preferences(send: Send): Promise<(script: string) => Promise<unknown>> {
  const tree: { contexts: { context: string }[] } = Object(
    await send('browsingContext.getTree', { 'moz:scope': 'chrome' }),
  );
  const target = { context: tree.contexts[0]?.context };
  return (expression) => send('script.evaluate', { expression, target, awaitPromise: false });
}

/**
 * Starts Debian's Firefox, by WebDriver BiDi. The colour scheme and scripts of a new window hold for all windows until the
 * next is opened. Without scripts, Playwright can press keys but neither click nor fill: its own scripts wait in vain.
 */
export async function launchFirefox(executablePath: string): Promise<Browser> {
  const args = ['--remote-allow-system-access'];
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath, args });
  const inside: Inside = Object(browser)._connection.toImpl(browser);
  const session = inside._browserSession;
  const [send, create] = [session.send.bind(session), inside.doCreateNewContext.bind(inside)];
  const evaluate = await preferences(send);
  session.send = async (method, parameters) => (method === UNKNOWN ? {} : send(method, parameters));
  inside.doCreateNewContext = async (options) => {
    const scheme = options.colorScheme === 'dark' ? 0 : 1;
    await evaluate(`Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', ${scheme});
      Services.prefs.setBoolPref('javascript.enabled', ${options.javaScriptEnabled !== false})`);
    return create(options);
  };
  return browser;
}
