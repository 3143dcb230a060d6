import { startDispatcher } from "@gateway/dispatcher";
import { readDispatcherConfig } from "@gateway/dispatcher/config";
import { createLogger } from "@gateway/kernel";
import { createLocalAuthority, startReceiver } from "@gateway/receiver";
import { readReceiverConfig } from "@gateway/receiver/config";
import { createTestFolder, waitFor } from "@gateway/testkit";
import { startWorker } from "@gateway/worker";
import { readWorkerConfig } from "@gateway/worker/config";
import axe from "axe-core";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import type { Person } from "../../apps/auth/test/support/test-auth.ts";
import { startConsoleSystem, type ConsoleSystem, type ConsoleSystemOptions } from "./console-system.ts";
import { repository } from "./source-files.ts";

/**
 * The console's page in Chromium, on the real system: identity provider, gateway, dispatcher, worker and a receiver.
 */
export type ConsolePage = {
  system: ConsoleSystem;
  receiverUrl: string;
  /** Certificate for a test's own receiver on localhost, which the dispatcher trusts. */
  certificate: { certificate: string; key: string };
  /** The folder in which the dispatcher puts mails instead of sending them. */
  mailFolder: string;
  /** Creates a person with an account, and the API as their programs see it. */
  createAccount(): Promise<{ person: Person; api: AccountApi }>;
  /** Opens a page in a new browser context. */
  openPage(options?: BrowserContextOptions): Promise<Page>;
  /** Signs in through the pages of the identity provider, as a person does. */
  signIn(page: Page, person: Person, path?: string): Promise<void>;
  /** Signs in by the same requests, without the pages. Any earlier session in this page's browser is gone. */
  enterAs(page: Page, person: Person): Promise<void>;
  /**
   * Fails when any of these happened since the last call: violations of the content security policy, script errors,
   * missing files, requests to other hosts.
   */
  expectNoFaults(): void;
  stop(): Promise<void>;
};

type Thing = { id: string } & Record<string, unknown>;

/** The API's operations, called by a program with an admin key. */
export type AccountApi = {
  /** The admin key, for calls that these methods do not cover. */
  key: string;
  post(path: string, body?: unknown): Promise<Thing>;
  get<Data = Thing>(path: string): Promise<Data>;
};

export async function startConsolePage(
  chromium: Browser,
  options: Omit<ConsoleSystemOptions, "folder"> = {},
): Promise<ConsolePage> {
  const dataDir = await createTestFolder();
  const receiver = await startReceiver({ ...readReceiverConfig({ DATA_DIR: dataDir }), port: 0 }, { print: () => {} });
  const allowed = { WEBHOOK_ALLOWED_HOSTS: new URL(receiver.url).hostname };
  const system = await startConsoleSystem({
    ...options,
    ...{ folder: join(repository, "apps/console/dist"), gatewayEnv: { ...allowed, ...options.gatewayEnv } },
    receiverUrl: receiver.url,
  });
  const { auth, consoleUrl } = system;
  const { livemode = false } = options;
  const logger = createLogger({ name: "test", level: "trace", destination: auth.watch.destination });
  const env = { DATABASE_URL: auth.databaseUrl, ENCRYPTION_KEYS: auth.encryptionKey.toString("base64") };
  const dispatcher = await startDispatcher(
    {
      ...readDispatcherConfig({
        ...env,
        ...allowed,
        DATA_DIR: dataDir,
        WEBHOOK_EXTRA_CA: receiver.authorityFile ?? "",
      }),
      ...{ metricsPort: 0, livemode },
    },
    { logger },
  );
  const worker = await startWorker({ ...readWorkerConfig(env), metricsPort: 0, livemode }, { logger });
  const faults: string[] = [];
  const own = [consoleUrl, auth.origin];
  return {
    system,
    receiverUrl: receiver.url,
    certificate: await createLocalAuthority(dataDir),
    mailFolder: join(dataDir, "mail"),
    createAccount: async () => {
      const person = await auth.createPerson();
      const { secret } = await auth.platform.transaction(({ accounts }) =>
        accounts.apiKeys.create({ accountId: person.account.id, name: "Test", permission: "admin", expiresAt: null }),
      );
      return { person, api: createAccountApi(auth.apiUrl, auth.watch.note(secret)) };
    },
    openPage: async (options = {}) => {
      const context = await chromium.newContext({
        viewport: { width: 1280, height: 800 },
        reducedMotion: "reduce",
        ...options,
      });
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: consoleUrl });
      const page = letFollow(await context.newPage());
      // Tests press faster than people. They can use up the reads that an account has in a minute, and then the page
      // waits for the next minute.
      page.setDefaultTimeout(75_000);
      page.on("console", (message) => {
        // The page itself shows its refused requests.
        if (message.type() === "error" && !/^Failed to load resource/.test(message.text())) {
          faults.push(`${page.url()}: ${message.text()}`);
        }
      });
      page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
      page.on("response", (response) => {
        if (response.status() >= 400 && !/\/(?:api|session)/.test(new URL(response.url()).pathname)) {
          faults.push(`${response.url()}: ${response.status()}`);
        }
      });
      page.on("request", (request) => {
        if (
          !own.some((origin) => request.url().startsWith(`${origin}/`)) &&
          !request.url().startsWith("chrome-error:")
        ) {
          faults.push(`asked ${request.url()}`);
        }
      });
      return page;
    },
    signIn: async (page, person, path = "/") => {
      await page.goto(`${consoleUrl}${path}`);
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.locator('input[name="email"]').fill(person.user.email);
      await page.locator('input[name="password"]').fill(person.password);
      await page.keyboard.press("Enter");
      await page.waitForURL(`${consoleUrl}${path}`);
      await page
        .getByRole("navigation", { name: /screens/i })
        .first()
        .waitFor({ state: "attached" });
    },
    enterAs: async (page, person) => {
      // An open page would notice that its session ended, and navigate away, perhaps while the next address is loading.
      await page.goto("about:blank");
      const browser = system.openBrowser();
      await browser.signIn(person);
      await page.context().clearCookies();
      await page.context().addCookies(
        [...browser.cookies].map(([name, value]) => ({
          ...{ name, value, url: consoleUrl, httpOnly: true },
          sameSite: "Strict" as const,
        })),
      );
    },
    expectNoFaults: () => expect(faults.splice(0)).toEqual([]),
    stop: async () => {
      await Promise.all(chromium.contexts().map((context) => context.close()));
      await dispatcher.stop();
      await worker.stop();
      await receiver.stop();
      await system.stop();
    },
  };
}

/**
 * Makes "networkidle" mean that the page came to rest. A page always has a request that waits for events. Apart from
 * those, no request is in flight, and none begins while the page renders twice and becomes idle.
 */
function letFollow(page: Page): Page {
  const inFlight = new Set<unknown>();
  let begunCount = 0;
  page.on("request", (request) => {
    if (!request.url().includes("waitSeconds=")) {
      inFlight.add(request);
      begunCount += 1;
    }
  });
  page.on("requestfinished", (request) => inFlight.delete(request));
  page.on("requestfailed", (request) => inFlight.delete(request));
  const waitForLoadState = page.waitForLoadState.bind(page);
  page.waitForLoadState = async (state, options) => {
    await waitForLoadState(state === "networkidle" ? "load" : state, options);
    if (state === "networkidle") {
      await waitFor(
        async () => {
          const before = begunCount;
          await page.evaluate(
            "new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(rest))))",
          );
          return inFlight.size === 0 && begunCount === before;
        },
        { timeoutMs: 60_000 },
      );
    }
  };
  return page;
}

function createAccountApi(apiUrl: string, key: string): AccountApi {
  const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${apiUrl}/api/v1/${path}`, {
      method,
      headers: { "X-API-Key": key, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data?: unknown };
    expect(answer, `${method} ${path}`).toHaveProperty("data");
    return answer.data;
  };
  // The document guarantees these types. A test names the fields that it reads.
  return {
    key,
    post: async (path, body = {}) => (await ask("POST", path, body)) as Thing,
    get: async <Data>(path: string) => (await ask("GET", path)) as Data,
  };
}

type Violation = {
  id: string;
  impact: string | null;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
};

const bothSchemes = ["light", "dark"] as const;

/**
 * Fails for violations that axe rates serious or critical, in the light and the dark scheme unless `schemes` differs.
 * The debugger evaluates the script, which bypasses the content security policy.
 */
export async function expectAccessible(
  page: Page,
  name: string,
  schemes: readonly (typeof bothSchemes)[number][] = bothSchemes,
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe.source);
    const violations = await page.evaluate<Violation[]>("axe.run().then(({ violations }) => violations)");
    const serious = violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${id}: ${help} (${String(target)}) ${failureSummary ?? ""}`),
      );
    expect(serious, `axe on ${name}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: "light" });
}
