import { build } from "esbuild";
import { fileURLToPath } from "node:url";
import { startServer } from "@gateway/process";

/** An application without a server, with oidc-client-ts, in the language of browsers. */
const script = `
import { UserManager } from "oidc-client-ts";
const settings = JSON.parse(document.querySelector("#settings").textContent);
const manager = new UserManager(settings);
const write = (value) => { document.querySelector("#user").textContent = JSON.stringify(value); };
const show = (user) => write({ accessToken: user.access_token, refreshToken: user.refresh_token, profile: user.profile });
const fail = (error) => write({ error: error.message });
window.signIn = () => manager.signinRedirect();
window.refresh = () => manager.signinSilent().then(show, fail);
if (location.pathname === "/callback") manager.signinRedirectCallback().then(show, fail);
`;

export type SpaUser = {
  accessToken?: string;
  refreshToken?: string;
  profile?: Record<string, unknown>;
  error?: string;
};

export type SpaServer = {
  origin: string;
  redirectUri: string;
  /** The settings of the library. They are set before the page is opened. */
  configure(settings: { authority: string; clientId: string; scope: string }): void;
  stop(): Promise<void>;
};

/** Serves the application on its own origin. `/frame` tries to frame the address in its query. */
export async function startSpaServer(): Promise<SpaServer> {
  const code = await bundle();
  let settings = "{}";
  const server = await startServer({
    host: "127.0.0.1",
    port: 0,
    handler: (req, res) => {
      const url = new URL(req.url ?? "/", "http://spa.test");
      if (url.pathname === "/spa.js") {
        res.writeHead(200, { "Content-Type": "text/javascript" }).end(code);
        return;
      }
      res
        .writeHead(200, { "Content-Type": "text/html" })
        .end(url.pathname === "/frame" ? framing(url.searchParams.get("url") ?? "") : application(settings));
    },
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    origin,
    redirectUri: `${origin}/callback`,
    configure: ({ authority, clientId, scope }) => {
      const redirect = { redirect_uri: `${origin}/callback`, response_type: "code" };
      settings = JSON.stringify({ authority, client_id: clientId, scope, ...redirect });
    },
    stop: () => server.stop(1000),
  };
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: fileURLToPath(new URL(".", import.meta.url)) },
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
  });
  return outputFiles[0]?.text ?? "";
}

function application(settings: string): string {
  return `<!doctype html><title>Application</title><script type="application/json" id="settings">${settings}</script><pre id="user"></pre><script src="/spa.js"></script>`;
}

function framing(url: string): string {
  return `<!doctype html><title>Frame</title><iframe src="${url}" width="600" height="600"></iframe>`;
}
