import { logoSvg, readBaseStylesheet } from "@gateway/design";
import { createHash } from "node:crypto";
import { createServer, type ServerResponse } from "node:http";

export interface RedirectListener {
  redirectUri: string;
  /** The URL that the browser was sent to, with `code` and `state`, or with `error`. */
  redirected: Promise<URL>;
  stop(): Promise<void>;
}

const path = "/callback";

/**
 * Waits for the browser on loopback (RFC 8252, 7.3). Only the redirect with our `state` counts: any page on this
 * machine's browser can send a request here.
 */
export async function listenForRedirect({ port, state }: { port: number; state: string }): Promise<RedirectListener> {
  const redirectUri = `http://127.0.0.1:${port}${path}`;
  const redirected = Promise.withResolvers<URL>();
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? "/", redirectUri);
    if (url.pathname !== path || url.searchParams.get("state") !== state) {
      answer(res, 404, "This is not the address of the redirect.");
      return;
    }
    answer(res, 200, "Done. Go back to the terminal; this page can be closed.");
    redirected.resolve(url);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    redirectUri,
    redirected: redirected.promise,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * The only page of this server, so its style is inline, with its hash in the policy. It uses the fonts of the system.
 */
function answer(res: ServerResponse, status: number, text: string): void {
  const style = `${readBaseStylesheet()}body{display:grid;place-content:center;min-height:100dvh;padding:1rem}svg{width:2.5rem}`;
  const hash = createHash("sha256").update(style).digest("base64");
  res
    .writeHead(status, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${hash}'`,
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "no-store",
      Connection: "close",
    })
    .end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Gateway demo</title><style>${style}</style><main>${logoSvg}<p>${text}</p></main></html>`,
    );
}
