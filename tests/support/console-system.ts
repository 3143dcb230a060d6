import { startConsole, type RunningConsole } from "@gateway/console";
import { readConsoleConfig } from "@gateway/console/config";
import { startGateway, type RunningGateway } from "@gateway/gateway";
import { readGatewayConfig } from "@gateway/gateway/config";
import { createLogger } from "@gateway/kernel";
import { createTestFolder, findFreePorts } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { answerQuestions } from "../../apps/auth/test/support/oauth-client.ts";
import { createSecretWatch } from "../../apps/auth/test/support/secret-watch.ts";
import { startTestAuth, type Person, type TestAuth } from "../../apps/auth/test/support/test-auth.ts";
import { createConsoleRole } from "./console-role.ts";

type ConsoleAnswer = { status: number; headers: Headers; text: string };

/** A browser at the console: its cookies, and the headers that it adds to a call from the page. */
export type ConsoleBrowser = {
  cookies: Map<string, string>;
  /** Calls with the headers of the page's script, unless other headers are given. Undefined omits a header. */
  call(target: string, options?: ConsoleCall): Promise<ConsoleAnswer>;
  /** Follows `GET /sign-in` to the identity provider and back. Resolves to the console's response to the callback. */
  signIn(person: Person, options?: { query?: string; accountId?: string }): Promise<ConsoleAnswer>;
};

type ConsoleCall = {
  method?: string;
  headers?: Record<string, string | undefined>;
  body?: unknown;
  /** The index of the console process. */
  process?: number;
};

export type ConsoleSystem = {
  auth: TestAuth;
  gateway: RunningGateway;
  /** Stops the gateway. `startGateway` starts another one at the same address. */
  stopGateway(): Promise<void>;
  startGateway(): Promise<void>;
  consoles: readonly RunningConsole[];
  consoleUrl: string;
  /** Connection of the console's role. */
  consoleDatabaseUrl: string;
  openBrowser(): ConsoleBrowser;
  stop(): Promise<void>;
};

export type ConsoleSystemOptions = {
  /** Address to use instead of the gateway's. */
  apiUrl?: string;
  processes?: number;
  /** Address of the identity provider, instead of the real one. */
  authUpstreamUrl?: string;
  mayFail?: boolean;
  /** Folder of the built page, which is built when it is stale. Without it no page is built. */
  folder?: string;
  /** URL of a receiver that the console names. */
  receiverUrl?: string;
  /** Additional settings of the gateway. */
  gatewayEnv?: Readonly<Record<string, string>>;
  /** Additional settings of the console. */
  consoleEnv?: Readonly<Record<string, string>>;
  /** Production mode, except for https. */
  livemode?: boolean;
  /** A migrated database on the test's own Postgres. */
  databaseUrl?: string;
};

const secret = "the console proves itself with this, 3141592653589793";

/** Starts identity provider, gateway and consoles on real sockets, one database, and the console's own role in it. */
export async function startConsoleSystem(options: ConsoleSystemOptions = {}): Promise<ConsoleSystem> {
  const watch = createSecretWatch();
  watch.note(secret);
  const [apiPort = 0, consolePort = 0] = await findFreePorts(2);
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const consoleUrl = `http://127.0.0.1:${consolePort}`;
  const env = { CONSOLE_URL: consoleUrl, CONSOLE_CLIENT_SECRET: secret, TRUSTED_PROXIES: "127.0.0.1" };
  const { databaseUrl, livemode = false } = options;
  const auth = await startTestAuth({
    ...{ apiUrl, watch, env, livemode, mayFail: options.mayFail ?? false },
    ...(databaseUrl !== undefined && { databaseUrl }),
  });
  const logger = createLogger({ name: "test", level: "trace", destination: watch.destination });
  const gatewayConfig = {
    ...readGatewayConfig({
      DATABASE_URL: auth.databaseUrl,
      ENCRYPTION_KEYS: auth.encryptionKey.toString("base64"),
      AUTH_URL: auth.origin,
      API_URL: apiUrl,
      TRUSTED_PROXIES: "127.0.0.1",
      ...options.gatewayEnv,
    }),
    ...{ port: apiPort, metricsPort: 0, livemode },
  };
  let gateway = await startGateway(gatewayConfig, { logger });
  const consoleDatabaseUrl = await createConsoleRole(auth.databaseUrl);
  const config = readConsoleConfig({
    CONSOLE_DATABASE_URL: consoleDatabaseUrl,
    CONSOLE_SESSION_KEYS: randomBytes(32).toString("base64"),
    CONSOLE_URL: consoleUrl,
    CONSOLE_CLIENT_SECRET: secret,
    AUTH_URL: auth.origin,
    API_URL: apiUrl,
    DOCS_URL: "https://docs.example.com/",
    TRUSTED_PROXIES: "127.0.0.1",
    ...options.consoleEnv,
  });
  const folder = options.folder ?? (await createTestFolder());
  const noBuild = async () => ({ ended: Promise.resolve(), failure: () => null, stop: async () => {} });
  const consoles: RunningConsole[] = [];
  for (const port of [consolePort, ...Array.from({ length: (options.processes ?? 1) - 1 }, () => 0)]) {
    const own = {
      ...config,
      addresses: { ...config.addresses, receiver: options.receiverUrl ?? null },
      port,
      metricsPort: 0,
      livemode,
      upstreams: { auth: options.authUpstreamUrl ?? auth.origin, api: options.apiUrl ?? apiUrl },
    };
    consoles.push(
      await startConsole(own, { print: () => {} }, { logger, folder, ...(!options.folder && { startBuild: noBuild }) }),
    );
  }
  await Promise.all(consoles.map(({ built }) => built));
  return {
    auth,
    get gateway() {
      return gateway;
    },
    stopGateway: () => gateway.stop(2000),
    startGateway: async () => {
      gateway = await startGateway(gatewayConfig, { logger });
    },
    consoles,
    consoleUrl,
    consoleDatabaseUrl,
    openBrowser: () => createConsoleBrowser({ auth, consoles, consoleUrl }),
    stop: async () => {
      await Promise.all(consoles.map((one) => one.stop(2000)));
      await gateway.stop(2000);
      // Stops last, because it searches everything that was logged.
      await auth.stop();
    },
  };
}

function createConsoleBrowser({
  auth,
  consoles,
  consoleUrl,
}: Pick<ConsoleSystem, "auth" | "consoles" | "consoleUrl">): ConsoleBrowser {
  const cookies = new Map<string, string>();
  const ask = async (url: string, init: RequestInit): Promise<ConsoleAnswer> => {
    const response = await fetch(url, { redirect: "manual", ...init });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      const [name, value] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
      if (value === "") {
        cookies.delete(name);
      } else {
        cookies.set(name, auth.watch.note(value));
      }
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const cookieHeader = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return {
    cookies,
    call: (target, { method = "GET", headers = {}, body, process = 0 } = {}) => {
      const sent = {
        "X-Console": "1",
        "Sec-Fetch-Site": "same-origin",
        Cookie: cookieHeader(),
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
      };
      return ask(`http://127.0.0.1:${consoles[process]?.port}${target}`, {
        method,
        headers: Object.entries(sent).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, value] as const],
        ) as [string, string][],
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    },
    signIn: async (person, { query = "", accountId } = {}) => {
      const begun = await ask(`${consoleUrl}/sign-in${query}`, { headers: { Cookie: cookieHeader() } });
      const browser = await auth.openBrowser(person);
      const page = await browser.open(begun.headers.get("Location") ?? "");
      const last = await answerQuestions(browser, page, { person, accountId });
      if (!last.url.startsWith(`${consoleUrl}/callback?`)) {
        throw new Error(`The identity provider did not lead back: ${last.status} ${last.url} ${last.html}`);
      }
      // The callback is a navigation across sites, so the browser does not send the session's cookie, which is strict.
      const { cookies: all } = { cookies: [...cookies].filter(([name]) => name.includes("sign-in-")) };
      const lax = all.map(([name, value]) => `${name}=${value}`).join("; ");
      return ask(last.url, { headers: { Cookie: lax } });
    },
  };
}
